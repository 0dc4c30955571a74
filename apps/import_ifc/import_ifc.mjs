// graze-import-ifc.mjs: reads one IFC file with web-ifc and writes its products to standard output as the records listed in src/io/import_helper.hpp and
// placed_import.cpp. Run by the library under limits on memory and time, not by users: node graze-import-ifc.mjs PATH|- ENDING MEMORY_BYTES CPU_SECONDS
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {fileURLToPath} from "node:url";

const RECORD = 1 << 20;  // bytes sent at a time
const NOTES = 10;        // messages of web-ifc that are passed on
// Of a circle, whose radius they reduce by up to 0.9 %; a choice. web-ifc's own, 12, takes 3.4 %, and pipes that clash by less would be missed.
const SEGMENTS = 24;

// web-ifc prints to the standard output, where the records go.
const messages = [];
for (const kind of ["log", "info", "warn", "error", "debug"]) {
  console[kind] = (...words) => {
    if (messages.length < 1000) messages.push(words.join(" ").slice(0, 200));
  };
}

function write(bytes) {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
}

function send(tag, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(12);
  head.write(tag, 0, "latin1");
  head.writeBigUInt64LE(BigInt(payload.length), 4);
  write(Buffer.concat([head, payload]));
}

const send_text = (tag, text) => send(tag, Buffer.from(text, "utf8").subarray(0, 4096));

function send_number(tag, number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number, 0);
  send(tag, bytes);
}

function send_array(tag, array) {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  const most = RECORD - (RECORD % 24);  // whole vertices and triangles
  for (let at = 0; at < bytes.length; at += most) send(tag, bytes.subarray(at, at + most));
}

function finish(tag, text = "") {
  send_text(tag, text);
  process.exit(0);
}

const counted = (n, one, many) => `${n} ${n === 1 ? one : many}`;

// web-ifc: in the folder that GRAZE_WEB_IFC names, where node looks (the folders above this file, NODE_PATH), or where tools/setup.sh ifc puts it: build/ifc,
// beside the build folder that this file is in.
function load_web_ifc() {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const require = createRequire(import.meta.url);
  const named = process.env.GRAZE_WEB_IFC;
  const places = named ? [named, path.join(named, "node_modules", "web-ifc")]
                       : ["web-ifc", path.join(here, "ifc", "node_modules", "web-ifc"), path.join(here, "..", "ifc", "node_modules", "web-ifc")];
  for (const place of places) {
    let file;
    try {
      file = require.resolve(named ? path.resolve(place) : place);
    } catch {
      continue;
    }
    return require(file);
  }
  finish("FAIL", "IFC is read by web-ifc, a package of npm, which was not found" + (named ? ` in the folder '${named}' that GRAZE_WEB_IFC names` : "") +
                     "; tools/setup.sh ifc installs it, or name its folder in the environment variable GRAZE_WEB_IFC");
}

// Names of elements and of what they are in.
class Names {
  constructor(api, model, ifc) {
    this.api = api, this.model = model, this.ifc = ifc;
    this.parents = new Map();
    this.count = 0;
    this.folders = new Map();  // numbers of what has parts below it
    const relate = (type, parent, children) => {
      for (const relation of this.lines(type)) {
        for (const child of relation[children] ?? []) {
          if (child?.value !== undefined && relation[parent]?.value !== undefined) this.parents.set(child.value, relation[parent].value);
        }
      }
    };
    relate(ifc.IFCRELNESTS, "RelatingObject", "RelatedObjects");
    relate(ifc.IFCRELAGGREGATES, "RelatingObject", "RelatedObjects");
    relate(ifc.IFCRELCONTAINEDINSPATIALSTRUCTURE, "RelatingStructure", "RelatedElements");
  }

  ids(type) {
    const vector = this.api.GetLineIDsWithType(this.model, type);
    return Array.from({length: vector.size()}, (_, i) => vector.get(i));
  }

  lines(type) {
    return this.ids(type).map(id => this.api.GetLine(this.model, id));
  }

  // The product's own name; the project is not part of it.
  name(line) {
    const text = line.Name?.value;
    return typeof text === "string" && text !== "" ? text : this.api.GetNameFromTypeCode(line.type);
  }

  // Sends the parents of an element that have not been sent, from the root down, and makes the nearest the current one. Number 0 is the root: the project, and
  // what is above a circle. Files may nest elements deeper than functions may call each other.
  send_parents(line) {
    const fresh = [];
    let number = 0;
    for (let id = this.parents.get(line.expressID); id !== undefined; id = this.parents.get(id)) {
      const known = this.folders.get(id);
      if (known !== undefined) {
        number = known;
        break;
      }
      const parent = this.api.GetLine(this.model, id);
      this.folders.set(id, 0);
      if (parent.type === this.ifc.IFCPROJECT) break;
      fresh.push(parent);
    }
    send_number("INTO", number);
    for (const parent of fresh.reverse()) {
      send_text("FOLD", this.name(parent));
      this.folders.set(parent.expressID, number = ++this.count);
      send_number("INTO", number);
    }
  }

  unit() {
    const prefixes = {MILLI: "milli", CENTI: "centi", DECI: "deci", KILO: "kilo", MICRO: "micro"};
    for (const assignment of this.lines(this.ifc.IFCUNITASSIGNMENT)) {
      for (const reference of assignment.Units ?? []) {
        const unit = this.api.GetLine(this.model, reference.value);
        if (unit?.UnitType?.value !== "LENGTHUNIT") continue;
        const name = String(unit.Name?.value ?? "").toLowerCase();
        return unit.type === this.ifc.IFCSIUNIT ? (prefixes[unit.Prefix?.value] ?? "") + name : name;
      }
    }
    return "";
  }
}

// Vertices with equal positions are one: web-ifc repeats them for the normals of each face. A triangle between two equal corners goes; its other two edges
// cancel.
function weld(positions, stride, corners) {
  const numbers = new Map(), vertices = [], of = new Uint32Array(positions.length / stride);
  for (let i = 0; i < of.length; ++i) {
    const [x, y, z] = [positions[stride * i] + 0, positions[stride * i + 1] + 0, positions[stride * i + 2] + 0];  // -0 + 0 is 0
    const key = `${x},${y},${z}`;
    let number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, number = vertices.length / 3);
      vertices.push(x, y, z);
    }
    of[i] = number;
  }
  const triangles = [];
  for (let t = 0; t + 2 < corners.length; t += 3) {
    const [a, b, c] = [of[corners[t]], of[corners[t + 1]], of[corners[t + 2]]];
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
  }
  return {vertices, triangles};
}

// Turns triangles over where those of a closed surface face both ways, as web-ifc leaves them: within a surface whose edges have two triangles each they shall
// agree, and the surface shall enclose a positive volume. Surfaces that agree already stay, since a hole in a solid is one that faces inward. Returns whether
// any was turned.
function orient(vertices, triangles) {
  const count = triangles.length / 3, points = vertices.length / 3, edges = new Map();
  const key = (a, b) => Math.min(a, b) * points + Math.max(a, b);
  const each_edge = (t, use) => {
    for (let i = 0; i < 3; ++i) use(triangles[3 * t + i], triangles[3 * t + (i + 1) % 3]);
  };
  for (let t = 0; t < count; ++t) {
    each_edge(t, (a, b) => {
      const uses = edges.get(key(a, b));
      if (uses === undefined)
        edges.set(key(a, b), [t]);
      else
        uses.push(t);
    });
  }
  const runs = (t, from, to) => {
    let forward = false;
    each_edge(t, (a, b) => forward = forward || (a === from && b === to));
    return forward;
  };
  const volume = surface => {
    let sum = 0;
    const p = i => vertices.slice(3 * i, 3 * i + 3).map((x, k) => x - vertices[3 * triangles[3 * surface[0].t] + k]);
    for (const {t, turned} of surface) {
      const [a, b, c] = [p(triangles[3 * t]), p(triangles[3 * t + 1]), p(triangles[3 * t + 2])];
      const det = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      sum += turned ? -det : det;
    }
    return sum;
  };
  const turned = new Int8Array(count).fill(-1);  // -1: not visited
  let any = false;
  for (let first = 0; first < count; ++first) {
    if (turned[first] >= 0) continue;
    const surface = [], stack = [first];
    turned[first] = 0;
    let sound = true, mixed = false;
    while (stack.length > 0) {
      const t = stack.pop();
      surface.push({t, turned: turned[t]});
      each_edge(t, (a, b) => {
        const uses = edges.get(key(a, b));
        sound = sound && uses.length % 2 === 0;
        if (uses.length !== 2) return;
        const other = uses[0] === t ? uses[1] : uses[0];
        const wanted = runs(other, a, b) ? 1 - turned[t] : turned[t];  // neighbours run along their edge in opposite directions
        if (turned[other] < 0) {
          turned[other] = wanted;
          stack.push(other);
        } else {
          sound = sound && turned[other] === wanted;
        }
        mixed = mixed || wanted !== turned[t];
      });
    }
    if (!sound || !mixed) continue;
    any = true;
    const inward = volume(surface) < 0;
    for (const {t, turned: over} of surface) {
      if ((over === 1) !== inward) [triangles[3 * t + 1], triangles[3 * t + 2]] = [triangles[3 * t + 2], triangles[3 * t + 1]];
    }
  }
  return any;
}

// web-ifc turns z up into y up, (x, y, z) to (x, z, -y). Undone here, exactly. Its matrices have columns first.
function placement(m) {
  const row = i => [m[i], m[4 + i], m[8 + i], m[12 + i]];
  const rows = [row(0), row(2).map(x => -x), row(1)];
  return {linear: rows.flatMap(r => r.slice(0, 3)), translation: rows.map(r => r[3])};
}

class Sender {
  constructor(api, model, names) {
    this.api = api, this.model = model, this.names = names;
    this.welded = new Map();  // by web-ifc's number of a geometry
    this.meshes = new Map();  // numbers of sent meshes, by the same
    this.count = 0;
    this.oriented = 0;
    this.empty = 0;  // products with a shape of which web-ifc makes no triangle
  }

  geometry(id) {
    let known = this.welded.get(id);
    if (known === undefined) {
      const g = this.api.GetGeometry(this.model, id);
      const positions = this.api.GetVertexArray(g.GetVertexData(), g.GetVertexDataSize());
      const corners = this.api.GetIndexArray(g.GetIndexData(), g.GetIndexDataSize());
      const {vertices, triangles} = weld(positions, 6, corners);  // positions and normals
      this.oriented += orient(vertices, triangles) ? 1 : 0;
      this.welded.set(id, known = {vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles)});
      g.delete();
    }
    return known;
  }

  send_mesh(vertices, triangles) {
    send("MESH");
    send_array("VERT", Float64Array.from(vertices));
    send_array("TRIA", Uint32Array.from(triangles));
    return this.count++;
  }

  // A product of one geometry shares its mesh with others of that geometry. One of several is one part, with a mesh of its own.
  product(flat) {
    const pieces = [];
    for (let i = 0; i < flat.geometries.size(); ++i) {
      const placed = flat.geometries.get(i), geometry = this.geometry(placed.geometryExpressID);
      if (geometry.triangles.length > 0) pieces.push({id: placed.geometryExpressID, ...geometry, ...placement(placed.flatTransformation)});
    }
    if (pieces.length === 0) {
      ++this.empty;
      return;
    }
    if (pieces.length === 1) {
      const [piece] = pieces;
      let mesh = this.meshes.get(piece.id);
      if (mesh === undefined) this.meshes.set(piece.id, mesh = this.send_mesh(piece.vertices, piece.triangles));
      this.send_part(flat.expressID, mesh, piece.linear, piece.translation);
      return;
    }
    const vertices = [], triangles = [], origin = pieces[0].translation;
    for (const {linear: l, translation, vertices: v, triangles: t} of pieces) {
      const first = vertices.length / 3, offset = translation.map((x, i) => x - origin[i]);
      for (let i = 0; i < v.length; i += 3) {
        for (let r = 0; r < 3; ++r) vertices.push(l[3 * r] * v[i] + l[3 * r + 1] * v[i + 1] + l[3 * r + 2] * v[i + 2] + offset[r]);
      }
      for (const corner of t) triangles.push(first + corner);
    }
    this.send_part(flat.expressID, this.send_mesh(vertices, triangles), [1, 0, 0, 0, 1, 0, 0, 0, 1], origin);
  }

  send_part(id, mesh, linear, translation) {
    const line = this.api.GetLine(this.model, id);
    const name = Buffer.from(this.names.name(line), "utf8").subarray(0, 4096);
    const global_id = Buffer.from(String(line.GlobalId?.value ?? ""), "utf8").subarray(0, 64);
    const head = Buffer.alloc(8 + 12 * 8);
    head.writeUInt32LE(mesh, 0);
    head.writeUInt32LE(name.length, 4);
    [...linear, ...translation].forEach((x, i) => head.writeDoubleLE(x, 8 + 8 * i));
    this.names.send_parents(line);
    send("PLAC", Buffer.concat([head, name, global_id]));
  }
}

async function run(file) {
  const web_ifc = load_web_ifc();
  const api = new web_ifc.IfcAPI();
  await api.Init(undefined, true);
  api.SetLogLevel(web_ifc.LogLevel.LOG_LEVEL_ERROR);
  const bytes = fs.readFileSync(file === "-" ? 0 : file);
  const model = api.OpenModel(new Uint8Array(bytes), {COORDINATE_TO_ORIGIN: false, CIRCLE_SEGMENTS: SEGMENTS});
  if (model < 0) finish("FAIL", "web-ifc cannot open it" + (messages.length > 0 ? `: ${messages[0]}` : ""));
  const names = new Names(api, model, web_ifc);
  send_text("FORM", "ifc (" + api.GetModelSchema(model) + ")");
  const unit = names.unit();
  if (unit !== "") send_text("UNIT", unit);
  send_text("UPAX", "z");
  send("SNGL");
  const sender = new Sender(api, model, names);
  // Without its scaling to metres: numbers that are whole in the file stay whole.
  api.StreamAllMeshes(model, flat => sender.product(flat), false);
  send_text("NOTE", `read by web-ifc ${api.GetVersion()}: coordinates went through float32, circles are ${SEGMENTS} segments, and openings are cut by it`);
  const note = (type, one, many) => {
    const n = names.ids(type).length;
    if (n > 0) send_text("NOTE", counted(n, one, many));
  };
  for (const type of [web_ifc.IFCMAPCONVERSION, web_ifc.IFCMAPCONVERSIONSCALED]) {
    for (const line of type === undefined ? [] : names.lines(type)) {
      const zero = [line.Eastings, line.Northings, line.OrthogonalHeight].every(x => (x?.value ?? 0) === 0);
      if (zero && (line.XAxisOrdinate?.value ?? 0) === 0 && (line.Scale?.value ?? 1) === 1) continue;
      send_text("NOTE", `the conversion to map coordinates, which moves the model by (${line.Eastings?.value}, ${line.Northings?.value}, ${line.OrthogonalHeight?.value}), is not applied`);
    }
  }
  note(web_ifc.IFCOPENINGELEMENT, "opening is no part", "openings are no parts");
  note(web_ifc.IFCSPACE, "space is left out", "spaces are left out");
  if (sender.empty > 0) send_text("NOTE", counted(sender.empty, "product has", "products have") + " a shape of which web-ifc makes no triangle");
  if (sender.count === 0) send_text("NOTE", "web-ifc makes no triangle of any product; shapes of types without an occurrence are not placed");
  if (sender.oriented > 0)
    send_text("NOTE", `${counted(sender.oriented, "closed surface has", "closed surfaces have")} triangles that web-ifc left facing inward: turned over`);
  for (const message of new Set(messages.slice(0, NOTES))) send_text("NOTE", `web-ifc reports: ${message}`);
}

send("GRZ1");
try {
  await run(process.argv[2]);
} catch (error) {
  finish("FAIL", `web-ifc failed: ${error instanceof Error ? error.message : String(error)}`);
}
finish("DONE");
