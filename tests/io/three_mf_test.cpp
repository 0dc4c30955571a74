// 3MF: units, items, components, other model files, numbers, and files that are not as they should be.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <graze/assembly.hpp>
#include <graze/query.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/model_writer.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"
#include "support/reading.hpp"
#include "support/three_mf_writer.hpp"

namespace graze::three_mf_test {
namespace {

using test::bytes_of;
using test::component;
using test::item;
using test::load_error;
using test::load_text;
using test::model_file;
using test::object;
using test::other_corpus;
using test::three_mf_of;
using test::zip_of;
using test::ZipMembers;
using Triangles = std::vector<TriangleIndices>;

Assembly assembly_of(const std::string& file, const AssemblyOptions& options = {}) { return test::load_parts(file, "m.3mf", options); }

std::string assembly_error(const std::string& file, const AssemblyOptions& options = {}) { return test::parts_error(file, "m.3mf", options); }

std::vector<std::string> paths_of(const Assembly& a) {
  std::vector<std::string> out;
  for (const AssemblyPart& p : a.parts) out.push_back(p.path);
  return out;
}

using Names = std::vector<std::string>;

TEST(ThreeMf, Units) {
  for (const auto& [name, unit] : {std::pair{"inch.3mf", "inch"}, {"stored.3mf", "millimeter"}}) {
    for (const bool from_memory : {false, true}) {
      const LoadedModel m = from_memory ? load_text(bytes_of(other_corpus(name)), name) : load_model(other_corpus(name).string());
      EXPECT_EQ(m.format, "3mf");
      EXPECT_EQ(m.unit, unit);
      EXPECT_EQ(m.up_axis, "z");
      EXPECT_FALSE(m.single_precision);
      EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{5, 6, 7}, {6, 6, 7}, {5, 7, 7}, {5, 6, 8}}));
      EXPECT_EQ(m.data.triangles, (Triangles{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}));
    }
  }
  for (const char* unit : {"micron", "millimeter", "centimeter", "inch", "foot", "meter"}) {
    EXPECT_EQ(assembly_of(three_mf_of(model_file(object(1), item(1), "unit=\"" + std::string(unit) + "\""))).unit, unit);
  }
}

TEST(ThreeMf, TheContentDecidesBeforeTheExtension) {
  for (const char* name : {"m.obj", "m.stl", "m", "m.fbx2"}) EXPECT_EQ(load_text(bytes_of(other_corpus("inch.3mf")), name).format, "3mf") << name;
}

TEST(ThreeMf, CoordinatesAreRoundedCorrectly) {
  test::Random random(5);
  MeshData data;
  while (data.vertices.size() < 600) {
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis) v[axis] = std::bit_cast<double>(random.bits());
    if (std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)) data.vertices.push_back(v);
  }
  for (std::uint32_t t = 0; t < 200; ++t) data.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  for (const test::Digits digits : {test::Digits::shortest, test::Digits::seventeen}) {
    std::string mesh = "<mesh><vertices>";
    for (const Vec3& v : data.vertices) {
      mesh += "<vertex z=' " + test::decimal(v.z, digits) + "' x='" + test::decimal(v.x, digits) + "\n' y='" + test::decimal(v.y, digits) + "'/>";
    }
    mesh += "</vertices><triangles>";
    for (const auto& t : data.triangles)
      mesh += "<triangle v3='" + std::to_string(t[2]) + "' v1='" + std::to_string(t[0]) + "' v2='" + std::to_string(t[1]) + "' pid='1' p1='0'/>";
    mesh += "</triangles></mesh>";
    const LoadedModel m = load_text(three_mf_of(model_file(object(1, "", mesh), item(1))), "m.3mf");
    ASSERT_EQ(m.data.vertices.size(), data.vertices.size());
    for (std::size_t i = 0; i < data.vertices.size(); ++i) EXPECT_TRUE(test::same_bits(m.data.vertices[i], data.vertices[i])) << i;
    EXPECT_EQ(m.data.triangles, data.triangles);
  }
}

TEST(ThreeMf, ItemsArePartsThatShareMeshes) {
  const std::string objects = object(1, "name='gear' partnumber='P1'") + object(2, "partnumber='P2'") + object(3);
  const std::string build = item(1) + item(1, "transform='1 0 0 0 1 0 0 0 1 5 0 0'") + item(2) + item(3) + item(3, "partnumber='screw'") + item(1);
  const Assembly a = assembly_of(three_mf_of(model_file(objects, build)));
  EXPECT_EQ(paths_of(a), (Names{"gear", "gear#2", "P2", "object 3", "screw", "gear#3"}));
  EXPECT_EQ(a.meshes.size(), 1u);  // the objects have one shape
  EXPECT_EQ(a.parts[1].pose.translation, Vec3(5, 0, 0));
  EXPECT_EQ(a.unit, "millimeter");
  EXPECT_FALSE(a.single_precision);
  EXPECT_EQ(volume(solid(a.meshes[0])), 1.0 / 6);
}

TEST(ThreeMf, TransformsFollowRowVectors) {
  // 3MF: (x, y, z, 1) times the matrix. x goes to y, y to -x: a quarter turn about z, then a translation.
  const Assembly a = assembly_of(three_mf_of(model_file(object(1, "name='t'"), item(1, "transform='0 1 0 -1 0 0 0 0 1 10 20 30'"))));
  EXPECT_EQ(a.parts[0].pose.apply(Vec3(1, 0, 0)), Vec3(10, 21, 30));
  EXPECT_EQ(a.parts[0].pose.apply(Vec3(0, 1, 0)), Vec3(9, 20, 30));
  // Scaled and mirrored: applied to the vertices, and the faces still turn outward.
  const LoadedModel m = load_text(three_mf_of(model_file(object(1), item(1, "transform='-2 0 0 0 1 0 0 0 1 0 0 0'"))), "m.3mf");
  EXPECT_EQ(m.data.vertices[1], Vec3(-2, 0, 0));
  EXPECT_EQ(volume(solid(Mesh(m.data))), 1.0 / 3);
}

TEST(ThreeMf, ComponentsAreNested) {
  const std::string objects = object(1, "name='wheel'") +
                              object(2, "name='axle'", "<components>" + component(1) + component(1, "transform='1 0 0 0 1 0 0 0 1 3 0 0'") + "</components>") +
                              object(3, "name='car'",
                                     "<components>" + component(2) + component(2, "transform='0 1 0 -1 0 0 0 0 1 0 7 0'") +
                                         component(1, "transform='1 0 0 0 1 0 0 0 1 0 0 9'") + "</components>");
  const Assembly a = assembly_of(three_mf_of(model_file(objects, item(3, "transform='1 0 0 0 1 0 0 0 1 100 0 0'") + item(1))));
  EXPECT_EQ(paths_of(a), (Names{"car/axle/wheel", "car/axle/wheel#2", "car/axle#2/wheel", "car/axle#2/wheel#2", "car/wheel", "wheel"}));
  EXPECT_EQ(a.meshes.size(), 1u);
  EXPECT_EQ(a.parts[1].pose.translation, Vec3(103, 0, 0));
  EXPECT_EQ(a.parts[3].pose.translation, Vec3(100, 10, 0));  // (3, 0, 0) turned to (0, 3, 0), then + (0, 7, 0) + (100, 0, 0)
  EXPECT_EQ(a.parts[3].pose.apply(Vec3(1, 0, 0)), Vec3(100, 11, 0));
  EXPECT_EQ(a.parts[4].pose.translation, Vec3(100, 0, 9));
}

TEST(ThreeMf, ProductionExtension) {
  const std::string other = model_file(object(1, "name='bolt'") + object(7, "name='pair'", "<components>" + component(1) + component(1) + "</components>"), "");
  const std::string root = model_file(
      object(1, "name='plate'") +
          object(2, "name='set'",
                 "<components>" + component(7, "p:path='/3D/Other%20Parts/b.model' p:UUID='u-pair'") + component(1, "p:UUID='u-plate'") + "</components>"),
      item(2, "p:UUID='u-set'") + item(1, "p:path='/3d/other parts/B.model' p:UUID='u-bolt'") + item(1), "requiredextensions='p m'");
  const Assembly a = assembly_of(three_mf_of(root, {{"3D/Other Parts/b.model", other}}));
  // Components of the pair have no UUID, so their paths are their names.
  EXPECT_EQ(paths_of(a), (Names{"set/pair/bolt", "set/pair/bolt#2", "u-set/u-plate", "u-bolt", "plate"}));
  EXPECT_EQ(a.meshes.size(), 1u);  // object 1 of each file, and they are equal
  EXPECT_EQ(a.parts[3].name, "bolt");
  EXPECT_EQ(a.parts[0].mesh, a.parts[3].mesh);
  EXPECT_EQ(assembly_error(three_mf_of(root)), "m.3mf: 3D/a.model: line 15: <component>: path is '/3D/Other%20Parts/b.model', which is not in the archive");
  EXPECT_EQ(assembly_error(three_mf_of(root, {{"3D/Other Parts/b.model", model_file(object(1), "", "unit='inch'")}})),
            "m.3mf: 3D/Other Parts/b.model: its unit is inch, that of the root model millimeter");
}

TEST(ThreeMf, WhatIsNotReadIsNoted) {
  const std::string lattice =
      std::string(test::kTetrahedron).insert(std::string(test::kTetrahedron).find("</mesh>"), "<b:beamlattice><b:beams/></b:beamlattice>");
  const std::string objects =
      "<basematerials id='9'><base name='red' displaycolor='#FF0000'/></basematerials><m:colorgroup id='8'><m:color color='#FFF'/></m:colorgroup>" +
      object(1, "", lattice) + object(2) + object(3, "", "<mesh><vertices/><triangles/></mesh>") + object(4, "type='support'");
  const Assembly a = assembly_of(three_mf_of(model_file(objects, item(1) + item(3) + item(4))));
  EXPECT_EQ(a.parts.size(), 2u);
  EXPECT_EQ(a.notes, (Names{"1 element <beamlattice> of an extension (http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02), not read",
                            "1 object has no triangles", "1 object is not in the build, not read", "1 part is for support while printing"}));
}

TEST(ThreeMf, BadModels) {
  const std::string good = model_file(object(1), item(1));
  ASSERT_EQ(assembly_error(three_mf_of(good)), "");
  const struct {
    const char *from, *to, *message;
  } kCases[] = {
      {"x=\"1\"", "x=\"abc\"", "line 6: <vertex>: x is 'abc', expected a number"},
      {"x=\"1\"", "x=\"\"", "line 6: <vertex>: x is '', expected a number"},
      {"x=\"1\"", "x=\"1 2\"", "line 6: <vertex>: x is '1 2', expected a number"},
      {"x=\"1\"", "x=\"1,5\"", "line 6: <vertex>: x is '1,5', expected a number"},
      {"x=\"1\"", "x=\"NaN\"", "line 6: <vertex>: x is 'NaN': NaN and infinity are refused"},
      {"x=\"1\"", "x=\"-1e999\"", "line 6: <vertex>: x is '-1e999' is beyond the largest double"},
      {"x=\"1\"", "", "line 6: <vertex>: has no attribute x"},
      {"x=\"1\"", "x=\"1\" x=\"2\"", "line 6: is no well-formed XML: duplicate attribute"},
      {"v1=\"1\"", "v1=\"4\"", "line 12: <triangle>: v1 is 4, but the mesh has 4 vertices, numbered from 0"},
      {"v1=\"1\"", "v1=\"-1\"", "line 12: <triangle>: v1 is '-1', expected an integer from 0 to 2147483647"},
      {"v1=\"1\"", "v1=\"1.0\"", "line 12: <triangle>: v1 is '1.0', expected an integer from 0 to 2147483647"},
      {"v1=\"1\"", "", "line 12: <triangle>: has no attribute v1"},
      {"id=\"1\"", "id=\"0\"", "line 4: <object>: id is '0', expected an integer from 1 to 2147483647"},
      {"<object id=\"1\"", "<object", "line 4: <object>: has no attribute id"},
      {"<resources>", "<resources><object id='1'/>", "line 4: <object>: a second object with the id 1"},
      {"<object ", "<object type='solid' ", "line 4: <object>: type is 'solid', expected model, solidsupport, support, surface or other"},
      {"<object ", "<object type='other' ", "line 17: <item>: objectid is 1, an object of the type other, which is not built by itself"},
      {"objectid=\"1\"", "objectid=\"2\"", "line 17: <item>: objectid is 2, but there is no such object"},
      {"<item ", "<item transform='1 0 0 0 1 0 0 0 1 0 0' ", "line 17: <item>: transform has 11 numbers, expected 12"},
      {"<item ", "<item transform='1 0 0 0 1 0 0 0 1 0 0 x' ", "line 17: <item>: transform is 'x', expected a number"},
      {"<model ", "<model unit='yard' ", "line 2: <model>: unit is 'yard', expected micron, millimeter, centimeter, inch, foot or meter"},
      {"<model ", "<model requiredextensions='p q' ", "line 2: <model>: requiredextensions names the prefix 'q', which is not declared"},
      {"<model ", "<model requiredextensions='b' ",
       "line 2: <model>: the file needs the extension b (http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02), which is not read; export it as "
       "meshes, without beams, slices, booleans or encryption"},
      {"core/2015/02", "core/2099/02",
       "line 2: the root element is <model> of the namespace 'http://schemas.microsoft.com/3dmanufactu...', expected <model> of "
       "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"},
      {"<vertex x=\"1\"", "<vertx x=\"1\"", "line 6: <vertx> is not expected here"},
      {"<triangles>", "<triangles/><triangles>", "line 9: a second <triangles>, expected one"},
      {"<mesh>", "<mesh><triangles/>", "line 4: <triangles> before <vertices>"},
      {"</mesh>", "</mesh><components/>", "line 14: <components>: the object has a mesh or components already"},
      {"</build>", "</built>", "line 18: is no well-formed XML: mismatched tag"},
      {"</model>", "", "line 20: is no well-formed XML: no element found"},
      {"<model ", "<!DOCTYPE model [<!ENTITY a 'aaaa'>]><model ", "line 2: has the document type declaration 'model', which is not allowed in this format"},
      {"<build>", "&lol;<build>", "line 16: is no well-formed XML: undefined entity"},
  };
  for (const auto& c : kCases) {
    std::string text = good;
    ASSERT_NE(text.find(c.from), std::string::npos) << c.from;
    text.replace(text.find(c.from), std::strlen(c.from), c.to);
    EXPECT_EQ(assembly_error(three_mf_of(text)), std::string("m.3mf: 3D/a.model: ") + c.message) << c.to;
  }
}

TEST(ThreeMf, ArchivesWithSizesOf64Bits) {
  const ZipMembers members{{"_rels/.rels", test::kRootRelationships}, {"3D/a.model", model_file(object(1), item(1))}};
  for (int bits = 0; bits < 128; ++bits) {
    test::ZipForm form;
    form.directory = (bits & 1) != 0, form.header = (bits & 2) != 0, form.descriptor = (bits & 4) != 0, form.end = (bits & 8) != 0;
    form.narrow_descriptor = (bits & 16) != 0 && !form.descriptor;
    if ((bits & 32) != 0) form.comment = "made by hand";
    if ((bits & 64) != 0)
      form.other_extra = std::string(
          "\x75\x70\x03\x00"
          "abc",
          7);
    const std::string archive = zip_of(members, form);
    const Assembly a = assembly_of(archive);
    ASSERT_EQ(a.parts.size(), 1u) << bits;
    EXPECT_EQ(a.meshes[0].size(), 4u);
    std::string damaged = archive;
    damaged[damaged.find("x=\"1\"") + 3] = '2';
    EXPECT_EQ(assembly_error(damaged), "m.3mf: 3D/a.model: its checksum is wrong: the file is damaged");
    for (std::size_t cut = 1; cut < archive.size(); cut += 97) EXPECT_NE(assembly_error(archive.substr(0, archive.size() - cut)), "") << bits << ' ' << cut;
  }
  test::ZipForm form;
  form.directory = form.header = form.end = true;
  const std::string archive = zip_of(members, form);
  const std::size_t entry = archive.find("PK\1\2"), end = archive.find("PK\6\6");
  std::string wrong = archive;
  wrong[entry + 30] = 4;  // the extra field is shorter than what it must hold
  EXPECT_EQ(assembly_error(wrong), "m.3mf: the directory of the archive is damaged after 0 members");
  wrong = archive;
  wrong[end + 47] = '\x7f';  // a directory beyond the file
  EXPECT_EQ(assembly_error(wrong), "m.3mf: is no zip archive: its directory is missing or damaged");
  wrong = archive;
  wrong[entry + 46 + 11 + 4] = '\x7f';  // another size than in the header of the member
  EXPECT_EQ(assembly_error(wrong), "m.3mf: _rels/.rels: its header in the archive is damaged, or differs from the directory");
}

TEST(ThreeMf, BadPackages) {
  const std::string model = model_file(object(1), item(1)), relationships = test::kRootRelationships;
  const auto packed = [&](const ZipMembers& members) { return assembly_error(zip_of(members)); };
  EXPECT_EQ(assembly_error("PK\3\4"), "m.3mf: is no zip archive: its directory is missing or damaged");
  EXPECT_EQ(packed({{"a.txt", "hello"}}), "m.3mf: the archive has no _rels/.rels, so it is no 3MF file");
  EXPECT_EQ(packed({{"_rels/.rels", relationships}}), "m.3mf: _rels/.rels: the model '/3D/a.model' is not in the archive");
  std::string none = relationships;
  none.replace(none.find("3dmodel"), 7, "picture");
  EXPECT_EQ(packed({{"_rels/.rels", none}, {"3D/a.model", model}}),
            "m.3mf: _rels/.rels: has 0 relationships of the type of a 3D model, expected 1 (is it a 3MF file?)");
  EXPECT_EQ(packed({{"_rels/.rels", relationships}, {"3D/a.model", model}, {"3d/A.model", model}}),
            "m.3mf: the archive has two members of the name '3d/A.model'");
  EXPECT_EQ(packed({{"_rels/.rels", relationships}, {"3D/a.model", ""}}), "m.3mf: 3D/a.model: line 1: is no well-formed XML: no element found");
  EXPECT_EQ(packed({{"_rels/.rels", relationships}, {"3D/a.model", model_file(object(1), "")}}), "m.3mf: has no part with a triangle");
  std::string no_build = model_file(object(1), "");
  no_build.replace(no_build.find("<build>\n</build>"), 16, "");
  EXPECT_EQ(packed({{"_rels/.rels", relationships}, {"3D/a.model", no_build}}), "m.3mf: 3D/a.model: has no <build>");

  std::string damaged = zip_of({{"_rels/.rels", relationships}, {"3D/a.model", model}}, false);
  damaged[damaged.find("x=\"1\"") + 3] = '2';
  EXPECT_EQ(assembly_error(damaged), "m.3mf: 3D/a.model: its checksum is wrong: the file is damaged");
  std::string encrypted = zip_of({{"_rels/.rels", relationships}, {"3D/a.model", model}});
  encrypted[encrypted.find("PK\1\2") + 8] = static_cast<char>(encrypted[encrypted.find("PK\1\2") + 8] | 1);
  EXPECT_EQ(assembly_error(encrypted), "m.3mf: _rels/.rels: is encrypted");
  std::string method = zip_of({{"_rels/.rels", relationships}, {"3D/a.model", model}});
  method[method.find("PK\1\2") + 10] = 12;
  EXPECT_EQ(assembly_error(method), "m.3mf: _rels/.rels: is compressed by method 12, expected 0 (stored) or 8 (deflate)");
}

TEST(ThreeMf, CirclesAndDepthOfComponents) {
  const auto of = [](int id) { return "<components>" + component(id) + "</components>"; };
  EXPECT_EQ(assembly_error(three_mf_of(model_file(object(1, "", of(2)) + object(2, "", of(1)), item(1)))),
            "m.3mf: 3D/a.model: line 6: <component>: object 1 is a component of itself");
  std::string deep = object(1);
  for (int i = 2; i < 300; ++i) deep += object(i, "", of(i - 1));
  EXPECT_EQ(assembly_error(three_mf_of(model_file(deep, item(150)))), "");
  EXPECT_NE(assembly_error(three_mf_of(model_file(deep, item(299)))).find("components are nested more than 200 deep"), std::string::npos);
}

TEST(ThreeMf, BombsAreRefusedSoon) {
  const auto start = std::chrono::steady_clock::now();
  // Components that double at each level, with and without a mesh at the bottom.
  for (const std::string& bottom : {std::string(test::kTetrahedron), std::string("<components></components>")}) {
    std::string objects = object(1, "", bottom);
    for (int i = 2; i < 60; ++i) objects += object(i, "name='a'", "<components>" + component(i - 1) + component(i - 1) + "</components>");
    const std::string file = three_mf_of(model_file(objects, item(59)));
    EXPECT_NE(assembly_error(file).find("m.3mf: the model is too large when unpacked (more than 26"), std::string::npos) << assembly_error(file);
    EXPECT_NE(assembly_error(file, {.max_bytes = 100000}).find("(more than 100000 bytes; the file has"), std::string::npos);
  }
  // A megabyte of blanks for each kilobyte of the file.
  const std::string blanks = three_mf_of(model_file(std::string(std::size_t{20} << 20, ' '), item(1)));
  EXPECT_LT(blanks.size(), std::size_t{1} << 16);
  EXPECT_NE(assembly_error(blanks, {.max_bytes = std::size_t{10} << 20}).find("is too large when unpacked"), std::string::npos);
  // One tag without end.
  const std::string tag = three_mf_of("<model name='" + std::string(std::size_t{20} << 20, 'a') + "'/>");
  EXPECT_EQ(assembly_error(tag), "m.3mf: 3D/a.model: line 1: has a tag, name or comment of more than 1048576 bytes");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(ThreeMf, EveryTruncationIsAnError) {
  const std::string file = three_mf_of(model_file(object(1), item(1)));
  for (std::size_t n = 4; n < file.size(); n += 7) EXPECT_NE(assembly_error(file.substr(0, n)), "") << n;
}

TEST(ThreeMf, MutationsAreReadOrRefused) {
  const std::string file = zip_of({{"_rels/.rels", test::kRootRelationships}, {"3D/a.model", model_file(object(1), item(1) + item(1))}}, false);
  test::Random random(3);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string mutated = file;
    for (int k = 0; k < 3; ++k) mutated[random.below(mutated.size())] = static_cast<char>(random.bits());
    refused += assembly_error(mutated).empty() ? 0 : 1;  // anything but an Error ends the test
  }
  EXPECT_GT(refused, 1500);
}

}  // namespace
}  // namespace graze::three_mf_test
