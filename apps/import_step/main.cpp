// graze-import-step: reads one STEP file with OpenCASCADE under limits on memory and time, and writes its parts to standard output as the records listed in
// src/io/import_helper.hpp and placed_import.cpp. Run by the library, not by users: graze-import-step PATH|- ENDING MEMORY_BYTES CPU_SECONDS DEFLECTION
#include <fcntl.h>
#include <unistd.h>

#include <Interface_InterfaceModel.hxx>
#include <Interface_Static.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <Standard_Version.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TCollection_AsciiString.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_Label.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <gp_Trsf.hxx>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "closed_mesh.hpp"
#include "import/answer.hpp"

namespace {

using graze_import::finish;
using graze_import::kRecord;
using graze_import::send;
using graze_import::StepMesh;

int answer_file = -1;  // where the records go

// OpenCASCADE names its unit for lengths as the left column; STEP files as the right ones.
struct LengthUnit {
  const char* setting;
  const char* name;
  std::vector<std::string> names;
};
const LengthUnit kUnits[] = {{"MM", "millimetre", {"millimetre", "millimeter", "mm"}},
                             {"M", "metre", {"metre", "meter", "m"}},
                             {"CM", "centimetre", {"centimetre", "centimeter", "cm"}},
                             {"INCH", "inch", {"inch", "in"}},
                             {"FT", "foot", {"foot", "ft"}},
                             {"KM", "kilometre", {"kilometre", "kilometer", "km"}},
                             {"UM", "micrometre", {"micrometre", "micrometer", "micron", "um"}}};

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Lets OpenCASCADE keep lengths in the unit of the file, instead of millimetres. Returns the unit's name.
std::string keep_unit(STEPControl_Reader& reader) {
  TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
  reader.FileUnits(lengths, angles, solid_angles);
  const std::string first = lengths.IsEmpty() ? "" : lower(lengths.First().ToCString());
  bool alike = true;
  for (int i = 2; i <= lengths.Length(); ++i) alike = alike && lower(lengths.Value(i).ToCString()) == first;
  if (alike) {
    for (const LengthUnit& unit : kUnits) {
      for (const std::string& name : unit.names) {
        if (name != first) continue;
        Interface_Static::SetCVal("xstep.cascade.unit", unit.setting);
        return unit.name;
      }
    }
  }
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  send("NOTE", alike ? "the unit of lengths in the file, '" + first.substr(0, 40) + "', was converted to millimetres"
                     : "the file has several units of length: all were converted to millimetres");
  return "millimetre";
}

// OpenCASCADE crashes on some files whose entities it does not understand. The handler sends a prepared record; all records before it are complete.
struct {
  char bytes[400];
  std::size_t size = 0;
} crash_record;

void prepare_for_crash(const std::string& text) {
  const std::uint64_t length = std::min<std::size_t>(text.size(), sizeof crash_record.bytes - 12);
  std::memcpy(crash_record.bytes, "FAIL", 4);
  std::memcpy(crash_record.bytes + 4, &length, 8);
  std::memcpy(crash_record.bytes + 12, text.data(), static_cast<std::size_t>(length));
  crash_record.size = 12 + static_cast<std::size_t>(length);
}

void on_crash(int /*signal*/) {
  const ssize_t written = write(answer_file, crash_record.bytes, crash_record.size);
  std::_Exit(written > 0 ? 0 : 3);
}

// Notes what the file has beyond OpenCASCADE's understanding, which it leaves out.
void check_entities(const Handle(Interface_InterfaceModel) & model) {
  int bad = 0, first = 0;
  for (int i = 1; i <= model->NbEntities(); ++i) {
    if (!model->IsErrorEntity(i)) continue;
    if (std::strncmp(model->Value(i)->DynamicType()->Name(), "StepVisual_", 11) == 0) continue;  // colours and styles
    if (bad++ == 0) first = i;
  }
  std::string text = "OpenCASCADE crashed";
  if (bad > 0) {
    const std::string what =
        std::to_string(bad) + (bad == 1 ? " entity" : " entities") + " of the file (the first is " + model->StringLabel(model->Value(first))->ToCString() + ")";
    text += "; it does not understand " + what;
    send("NOTE", "OpenCASCADE does not understand " + what + ": what depends on them may be missing");
  }
  prepare_for_crash(text);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) std::signal(signal, on_crash);
}

// Names that are unique among the components of one assembly.
class SiblingNames {
 public:
  std::string add(const std::string& name) {
    const int n = ++counts_[name];
    return n == 1 ? name : name + "#" + std::to_string(n);
  }

 private:
  std::map<std::string, int> counts_;
};

std::string entry_of(const TDF_Label& label) {
  TCollection_AsciiString entry;
  TDF_Tool::Entry(label, entry);
  return entry.ToCString();
}

std::string name_of(const TDF_Label& label) {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return "part";
  const TCollection_ExtendedString& text = name->Get();
  std::vector<char> utf8(static_cast<std::size_t>(text.LengthOfCString()) + 1);
  Standard_PCharacter to = utf8.data();
  text.ToUTF8CString(to);
  return utf8[0] == '\0' ? "part" : std::string(utf8.data()).substr(0, 1000);
}

class Sender {
 public:
  Sender(const Handle(XCAFDoc_ShapeTool) & shapes, double deflection) : shapes_(shapes), deflection_(deflection) {}

  void send_all() {
    TDF_LabelSequence roots;
    shapes_->GetFreeShapes(roots);
    SiblingNames names;
    for (int i = 1; i <= roots.Length(); ++i) send_label(roots.Value(i), roots.Value(i), names, 0, gp_Trsf(), 0);
    const auto note = [](std::size_t n, const char* one, const char* many) {
      if (n > 0) send("NOTE", std::to_string(n) + (n == 1 ? one : many));
    };
    note(empty_, " shape has no faces, not read", " shapes have no faces, not read");
    note(bare_faces_, " face could not be triangulated, and its shape is open", " faces could not be triangulated, and their shapes are open");
  }

 private:
  // A component places the shape or assembly that it refers to; a free shape is its own.
  void send_label(const TDF_Label& component, const TDF_Label& referred, SiblingNames& names, std::uint32_t parent, const gp_Trsf& outer, int depth) {
    if (depth > 200) finish("FAIL", "the assemblies are nested more than 200 deep");
    const std::string name = names.add(name_of(referred));
    send("INTO", &parent, sizeof parent);
    const gp_Trsf place = outer.Multiplied(shapes_->GetLocation(component).Transformation());
    if (!shapes_->IsAssembly(referred)) {
      send_part(referred, name, place);
      return;
    }
    send("FOLD", name);
    const std::uint32_t folder = ++folders_;
    TDF_LabelSequence components;
    shapes_->GetComponents(referred, components);
    SiblingNames below;
    for (int i = 1; i <= components.Length(); ++i) {
      TDF_Label target;
      if (shapes_->GetReferredShape(components.Value(i), target)) send_label(components.Value(i), target, below, folder, place, depth + 1);
    }
  }

  void send_part(const TDF_Label& shape, const std::string& name, const gp_Trsf& place) {
    const auto [at, fresh] = numbers_.try_emplace(entry_of(shape), meshes_);
    if (fresh) {
      send_mesh(shapes_->GetShape(shape).Located(TopLoc_Location()));
      std::fflush(graze_import::answer);
      ++meshes_;
    }
    double numbers[12];
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) numbers[3 * row + column] = place.Value(row + 1, column + 1);
      numbers[9 + row] = place.Value(row + 1, 4);
    }
    const auto length = static_cast<std::uint32_t>(name.size());
    std::string payload(8 + sizeof numbers, '\0');
    std::memcpy(payload.data(), &at->second, 4);
    std::memcpy(payload.data() + 4, &length, 4);
    std::memcpy(payload.data() + 8, numbers, sizeof numbers);
    payload += name;
    send("PLAC", payload.data(), payload.size());
    std::fflush(graze_import::answer);
  }

  void send_mesh(const TopoDS_Shape& shape) {
    const StepMesh mesh = graze_import::mesh_of(shape, deflection_);
    bare_faces_ += mesh.bare_faces;
    empty_ += mesh.triangles.empty() ? 1 : 0;
    send("MESH", "");
    send_array("VERT", mesh.vertices);
    send_array("TRIA", mesh.triangles);
  }

  template <class T>
  static void send_array(const char (&tag)[5], const std::vector<T>& all) {
    constexpr std::size_t kMost = kRecord / sizeof(T);
    for (std::size_t i = 0; i < all.size(); i += kMost) send(tag, all.data() + i, std::min(kMost, all.size() - i) * sizeof(T));
  }

  Handle(XCAFDoc_ShapeTool) shapes_;
  double deflection_;
  std::map<std::string, std::uint32_t> numbers_;  // of meshes, by the label of the shape
  std::uint32_t meshes_ = 0, folders_ = 0;
  std::size_t empty_ = 0, bare_faces_ = 0;
};

void run(const std::string& path, double deflection) {
  const Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
  Handle(TDocStd_Document) document;
  application->NewDocument("BinXCAF", document);
  STEPCAFControl_Reader reader;
  reader.SetNameMode(true);
  reader.SetColorMode(false);
  reader.SetLayerMode(false);
  // The standard input is a file, too, which can be opened.
  if (reader.ReadFile(path == "-" ? "/dev/stdin" : path.c_str()) != IFSelect_RetDone) finish("FAIL", "OpenCASCADE cannot parse it as STEP");
  check_entities(reader.ChangeReader().WS()->Model());
  const std::string unit = keep_unit(reader.ChangeReader());
  std::fflush(graze_import::answer);
  if (!reader.Transfer(document)) finish("FAIL", "OpenCASCADE finds no shape in it");
  send("FORM", "step");
  send("UNIT", unit);
  char fraction[40];
  std::snprintf(fraction, sizeof fraction, "%.6g", deflection);
  send("NOTE",
       std::string("curved surfaces are triangles at most ") + fraction + " of each shape's extent away (deflection); by OpenCASCADE " OCC_VERSION_COMPLETE);
  Sender(XCAFDoc_DocumentTool::ShapeTool(document->Main()), deflection).send_all();
}

// OpenCASCADE prints messages to the standard output, where the records go.
void keep_output() {
  answer_file = dup(1);
  graze_import::answer = fdopen(answer_file, "wb");
  const int nowhere = open("/dev/null", O_WRONLY);
  if (graze_import::answer == nullptr || nowhere < 0 || dup2(nowhere, 1) < 0) std::_Exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("graze-import-step is run by the graze library: graze-import-step PATH|- ENDING MEMORY_BYTES CPU_SECONDS DEFLECTION\n", stderr);
    return 2;
  }
  keep_output();
  graze_import::set_limits(std::strtoull(argv[3], nullptr, 10), std::strtoull(argv[4], nullptr, 10));
  send("GRZ1", "");
  try {
    run(argv[1], std::strtod(argv[5], nullptr));
  } catch (const std::bad_alloc&) {
    finish("FAIL", std::string("needs more than ") + argv[3] + " bytes of memory to read");
  } catch (const Standard_Failure& error) {
    finish("FAIL", std::string("OpenCASCADE failed: ") + error.GetMessageString());
  } catch (const std::exception& error) {
    finish("FAIL", std::string("OpenCASCADE failed: ") + error.what());
  }
  finish("DONE", "");
}
