// Formats whose helper programs send meshes and placed parts: STEP and IFC.
#pragma once
#include <string>

#include "io/bytes.hpp"
#include "io/import_helper.hpp"
#include "io/part_data.hpp"

namespace graze::io {

/// Whether the content is a file of ISO 10303-21, and of IFC or of another schema.
bool is_step(const Source& source);
bool is_ifc(const Source& source);

/// Reads STEP by graze-import-step. `deflection` is AssemblyOptions::deflection.
AssemblyData read_step(const Source& source, const std::string* path, double deflection);

/// Reads IFC by graze-import-ifc.mjs.
AssemblyData read_ifc(const Source& source, const std::string* path);

/// Reads the records of such a helper.
AssemblyData read_placed(ImportRecords& records, const Source& source);

}  // namespace graze::io
