// The page without its data. It needs nothing from a network: three.js and all numbers stand in the file.
#include "viewer/page_text.hpp"

namespace graze::view {

const char* const kPageText = R"page(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>@TITLE@</title>
<link rel="icon" href="data:,">
<style>@STYLE@</style>
</head>
<body>
<main id="stage" tabindex="0" aria-label="the picture: drag turns, wheel or two fingers zoom, right button moves"></main>
<div id="labels" aria-hidden="true"></div>
<h1 id="title"></h1>
<div id="legend"></div>
<div id="side"><button id="fold" title="Show or hide the list" aria-expanded="true">Hits</button><ol id="hits"></ol></div>
<div id="bottom">
  <div id="caption"></div>
  <div id="player" hidden>
    <button id="play" title="Play or pause (Space)">Play</button><button id="back" title="One frame back (,)">-1</button><button id="on" title="One frame on (.)">+1</button>
    <input id="scrub" type="range" min="0" value="0" aria-label="frame"><output id="clock"></output>
    <label>speed <select id="speed"><option value="0.1">0.1</option><option value="0.25">0.25</option><option value="0.5">0.5</option><option value="1" selected>1</option><option value="2">2</option><option value="4">4</option></select></label>
  </div>
</div>
<div id="help">drag: turn &middot; right drag or Shift: move &middot; wheel: zoom &middot; R or double click: whole view</div>
<div id="trouble" role="alert" hidden></div>
<script>@THREE@</script>
<script type="application/json" id="head">@HEAD@</script>
<script type="text/plain" id="data">@DATA@</script>
<script>@PROGRAM@</script>
</body>
</html>
)page";

const char* const kPageStyle = R"page(
:root { --ink: #191c20; --paper: #f7f7f5; }
html, body { margin: 0; height: 100%; overflow: hidden; font: max(15px, min(1.17vw, 1.87vh))/1.35 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); }
#stage { position: fixed; inset: 0; outline: none; touch-action: none; cursor: grab; }
#stage canvas { display: block; }
#labels { position: fixed; inset: 0; pointer-events: none; overflow: hidden; }
#labels span { position: absolute; left: 0; top: 0; padding: 0 .35em; border-radius: .3em; background: color-mix(in srgb, var(--paper) 82%, transparent); white-space: nowrap; }
#title { position: fixed; left: 14px; top: 10px; margin: 0; font-size: 1.3em; pointer-events: none; max-width: 60vw; padding: 0 .3em 0 0; background: color-mix(in srgb, var(--paper) 82%, transparent); border-radius: 5px; }
#legend { position: fixed; right: 14px; top: 12px; pointer-events: none; background: color-mix(in srgb, var(--paper) 82%, transparent); border-radius: 5px; }
#legend div { display: flex; align-items: center; gap: .5em; }
#legend i { width: .8em; height: .8em; border-radius: 2px; display: inline-block; flex: none; }
#side { position: fixed; right: 14px; top: 8.5em; bottom: 9em; width: 20em; display: flex; flex-direction: column; align-items: flex-end; pointer-events: none; }
#side button, #side ol { pointer-events: auto; }
#hits { margin: .4em 0 0; padding: 0; list-style: none; overflow: auto; width: 100%; background: color-mix(in srgb, var(--paper) 88%, transparent); border-radius: 5px; border: 1px solid color-mix(in srgb, var(--ink) 20%, transparent); }
#hits button { all: unset; display: block; width: 100%; box-sizing: border-box; padding: .25em .6em; cursor: pointer; font-size: .92em; }
#hits button:hover, #hits button:focus-visible { background: color-mix(in srgb, var(--ink) 12%, transparent); }
#hits button[aria-current="true"] { background: #0072b2; color: #fff; }
#bottom { position: fixed; left: 14px; right: 14px; bottom: 10px; pointer-events: none; }
#caption div { background: color-mix(in srgb, var(--paper) 82%, transparent); width: fit-content; border-radius: 4px; }
#player { pointer-events: auto; display: flex; align-items: center; gap: .5em; margin-top: .5em; flex-wrap: wrap; }
#player[hidden] { display: none; }
#scrub { flex: 1; min-width: 8em; }
#clock { min-width: 11em; font-variant-numeric: tabular-nums; }
#help { position: fixed; right: 14px; bottom: 10px; font-size: .85em; opacity: .8; pointer-events: none; padding: 0 .3em; background: color-mix(in srgb, var(--paper) 82%, transparent); border-radius: 5px; }
body.plays #help { bottom: 3.6em; }
button, select { font: inherit; color: var(--ink); background: color-mix(in srgb, var(--paper) 90%, var(--ink)); border: 1px solid color-mix(in srgb, var(--ink) 35%, transparent); border-radius: 4px; padding: .15em .6em; cursor: pointer; }
#trouble { position: fixed; inset: 20% 10% auto; padding: 1em; background: #fff3e0; color: #191c20; border: 2px solid #d55e00; border-radius: 6px; }
@media (max-width: 700px) { #side { width: 12em; } #help { display: none; } #title { font-size: 1.05em; } #legend { font-size: .85em; top: 3.2em; } #side { top: 11em; } }
)page";

const char* const kPageShaders = R"page(
"use strict";
// The same light and edges as in the window (GLSL of WebGL 1).
const SURFACE_VERTEX = `
attribute vec3 position; attribute vec4 normal; attribute vec4 color; attribute float corner;
uniform mat4 modelViewMatrix, projectionMatrix;
varying vec3 v_normal, v_position, v_color, v_edge;
void main() {
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  v_position = p.xyz;
  v_normal = mat3(modelViewMatrix[0].xyz, modelViewMatrix[1].xyz, modelViewMatrix[2].xyz) * normal.xyz;
  v_color = color.rgb;
  float e = floor(color.a * 255.0 + 0.5);
  v_edge = vec3(corner == 0.0 ? 1.0 : 0.0, corner == 1.0 ? 1.0 : 0.0, corner == 2.0 ? 1.0 : 0.0);
  if (mod(e, 2.0) < 1.0) v_edge.x += 1.0;
  if (mod(floor(e / 2.0), 2.0) < 1.0) v_edge.y += 1.0;
  if (mod(floor(e / 4.0), 2.0) < 1.0) v_edge.z += 1.0;
  gl_Position = projectionMatrix * p;
}`;
const SURFACE_FRAGMENT = `
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec3 v_normal, v_position, v_color, v_edge;
uniform vec3 tint, edge_color; uniform float opacity, edge_width, lit;
void main() {
  vec3 to_eye = normalize(-v_position);
  vec3 n = v_normal;
  if (dot(n, n) < 1e-8) n = cross(dFdx(v_position), dFdy(v_position));
  n = normalize(n);
  if (dot(n, to_eye) < 0.0) n = -n;
  vec3 key = normalize(vec3(-0.45, 0.7, 0.75)), fill = normalize(vec3(0.8, -0.1, 0.5));
  float light = mix(1.0, 0.36 + 0.62 * max(dot(n, key), 0.0) + 0.26 * max(dot(n, fill), 0.0) + 0.10 * max(n.z, 0.0), lit);
  vec3 base = v_color * tint;
  if (!gl_FrontFacing && lit > 0.5) base *= 0.82;
  vec3 c = min(base * light + vec3(pow(max(dot(n, normalize(key + to_eye)), 0.0), 40.0) * 0.16 * lit), vec3(1.0));
  if (edge_width > 0.0) {
    vec3 w = fwidth(v_edge), pixels = v_edge / max(w, vec3(1e-9));
    float nearest = min(min(pixels.x, pixels.y), pixels.z);
    float line = 1.0 - smoothstep(edge_width * 0.5, edge_width * 0.5 + 1.0, nearest);
    float size = 1.0 / max(max(w.x, w.y), max(w.z, 1e-9));
    c = mix(c, edge_color, line * 0.55 * smoothstep(5.0, 22.0, size));
  }
  gl_FragColor = vec4(c, opacity);
}`;
const FLAT_VERTEX = `
attribute vec3 a; attribute vec3 b; attribute vec4 color; attribute vec3 position;
uniform mat4 modelViewMatrix, projectionMatrix; uniform vec2 screen; uniform float scale, is_dot;
varying vec3 v_color; varying vec2 v_disc;
void main() {
  mat4 m = projectionMatrix * modelViewMatrix;
  vec4 p = m * vec4(a, 1.0), q = m * vec4(b, 1.0);
  float size = color.a * 255.0 / 4.0 * scale;
  v_color = color.rgb;
  if (is_dot > 0.5) {
    p.xy += position.xy * size / screen * p.w;
    p.z -= 6e-5 * p.w;
    v_disc = position.xy;
    gl_Position = p;
    return;
  }
  v_disc = vec2(0.0);
  float near = 1e-5;
  if (p.w < near && q.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (p.w < near) p = mix(p, q, (near - p.w) / (q.w - p.w));
  if (q.w < near) q = mix(q, p, (near - q.w) / (p.w - q.w));
  vec2 along = (q.xy / q.w - p.xy / p.w) * screen;
  float len = length(along);
  along = len > 1e-6 ? along / len : vec2(1.0, 0.0);
  vec2 side = vec2(-along.y, along.x) * size / screen, ahead = along * size * 0.5 / screen;
  vec4 end = position.x < 0.0 ? p : q;
  end.xy += (position.y < 0.0 ? side : -side) * end.w + (position.x < 0.0 ? -ahead : ahead) * end.w;
  end.z -= 4e-5 * end.w;
  gl_Position = end;
}`;
const FLAT_FRAGMENT = `
precision highp float;
varying vec3 v_color; varying vec2 v_disc; uniform float opacity; uniform vec3 rim;
void main() { float r = length(v_disc); if (r > 1.0) discard; gl_FragColor = vec4(r > 0.72 ? rim : v_color, opacity); }`;
)page";

const char* const kPageProgram = R"page(
const $ = id => document.getElementById(id);
function trouble(text) { $("trouble").textContent = text; $("trouble").hidden = false; }

async function unpack(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  if (typeof DecompressionStream === "undefined") throw new Error("This page needs a browser of 2023 or later (DecompressionStream).");
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

async function main() {
  const head = JSON.parse($("head").textContent);
  const data = await unpack($("data").textContent);
  const take = (type, [at, count]) => new type(data, at, count);
  const v3 = a => new THREE.Vector3(a[0], a[1], a[2]);
  document.documentElement.style.setProperty("--ink", head.ink);
  document.documentElement.style.setProperty("--paper", head.background);

  const renderer = new THREE.WebGLRenderer({antialias: true, preserveDrawingBuffer: true});
  renderer.setClearColor(new THREE.Color(head.background));
  $("stage").appendChild(renderer.domElement);
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  const ink = new THREE.Color(head.ink), flats = [];

  function geometry(s) {
    const g = new THREE.BufferGeometry();
    let positions = take(Float32Array, s.positions), colors, normals;
    if (s.indices) {
      const indices = take(Uint32Array, s.indices), all = new Float32Array(indices.length * 3);
      for (let i = 0; i < indices.length; ++i) { const v = 3 * indices[i]; all[3 * i] = positions[v]; all[3 * i + 1] = positions[v + 1]; all[3 * i + 2] = positions[v + 2]; }
      positions = all;
      colors = new Uint8Array(indices.length * 4).fill(255);
      normals = new Int8Array(indices.length * 4);
    } else {
      colors = take(Uint8Array, s.colors);
      normals = take(Int8Array, s.normals);
    }
    const corner = new Float32Array(positions.length / 3);
    for (let i = 0; i < corner.length; ++i) corner[i] = i % 3;
    g.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    g.setAttribute("normal", new THREE.BufferAttribute(normals, 4, true));
    g.setAttribute("color", new THREE.BufferAttribute(colors, 4, true));
    g.setAttribute("corner", new THREE.BufferAttribute(corner, 1));
    g.computeBoundingSphere();
    return g;
  }
  const geometries = head.surfaces.map(geometry);

  const materials = new Map();
  function material(part, opacity, extra) {
    const key = JSON.stringify([part.color, part.edges, part.lit, opacity, extra]);
    if (!materials.has(key)) materials.set(key, new THREE.RawShaderMaterial(Object.assign({
      vertexShader: SURFACE_VERTEX, fragmentShader: SURFACE_FRAGMENT, side: THREE.DoubleSide, transparent: opacity < 1, depthWrite: opacity >= 1,
      polygonOffset: opacity >= 1, polygonOffsetFactor: 1, polygonOffsetUnits: 1, extensions: {derivatives: true},
      uniforms: {tint: {value: new THREE.Color(part.color)}, edge_color: {value: new THREE.Color("#191c20")}, opacity: {value: opacity},
                 edge_width: {value: part.edges === false ? 0 : Math.max(1, window.devicePixelRatio)}, lit: {value: part.lit === false ? 0 : 1}}}, extra)));
    return materials.get(key);
  }
  const bodies = head.parts.map(part => {
    const body = new THREE.Group();
    const add = (m, order) => { const x = new THREE.Mesh(geometries[part.surface], m); x.renderOrder = order; body.add(x); };
    const opacity = part.opacity === undefined ? 1 : part.opacity;
    if (opacity >= 1) add(material(part, 1, {}), 0);
    else if (part.shell) { add(material(part, opacity, {colorWrite: false, depthWrite: true, transparent: true}), 5); add(material(part, opacity, {depthFunc: THREE.LessEqualDepth}), 6); }
    else { add(material(part, opacity, {side: THREE.BackSide}), 3); add(material(part, opacity, {side: THREE.FrontSide}), 4); }
    if (part.through) { add(material(part, 1, {depthFunc: THREE.LessEqualDepth, transparent: true, depthWrite: false, polygonOffset: false}), 9); add(material(part, 0.45, {depthFunc: THREE.GreaterDepth}), 10); }
    body.position.copy(v3(part.at));
    if (part.turn) body.quaternion.set(part.turn[1], part.turn[2], part.turn[3], part.turn[0]);
    scene.add(body);
    return body;
  });

  function flat(list, dots, opacity, depthFunc, order) {
    const places = take(Float32Array, list.places), colors = take(Uint8Array, list.colors);
    if (!places.length) return null;
    const g = new THREE.InstancedBufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]), 3));
    g.setIndex([0, 1, 2, 2, 1, 3]);
    const both = new THREE.InstancedInterleavedBuffer(places, 6, 1);
    g.setAttribute("a", new THREE.InterleavedBufferAttribute(both, 3, 0));
    g.setAttribute("b", new THREE.InterleavedBufferAttribute(both, 3, 3));
    g.setAttribute("color", new THREE.InstancedBufferAttribute(colors, 4, true, 1));
    g.maxInstancedCount = places.length / 6;
    const m = new THREE.RawShaderMaterial({vertexShader: FLAT_VERTEX, fragmentShader: FLAT_FRAGMENT, side: THREE.DoubleSide, transparent: opacity < 1, depthWrite: opacity >= 1, depthFunc,
      uniforms: {screen: {value: new THREE.Vector2(1, 1)}, scale: {value: 1}, is_dot: {value: dots ? 1 : 0}, opacity: {value: opacity}, rim: {value: ink}}});
    const mesh = new THREE.Mesh(g, m);
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    flats.push(m);
    scene.add(mesh);
    return mesh;
  }
  for (const [name, dots] of [["strokes", false], ["dots", true]]) {
    flat(head[name], dots, 1, THREE.LessEqualDepth, dots ? 2 : 1);
    flat(head[name + "_through"], dots, 1, THREE.LessEqualDepth, dots ? 2 : 1);
    flat(head[name + "_through"], dots, 0.6, THREE.LessEqualDepth, dots ? 12 : 11);
    flat(head[name + "_through"], dots, 0.45, THREE.GreaterDepth, dots ? 12 : 11);
  }

  // lines that appear with time
  const trails = head.trails_through ? [flat(head.trails_through, false, 1, THREE.LessEqualDepth, 1), flat(head.trails_through, false, 0.6, THREE.LessEqualDepth, 11), flat(head.trails_through, false, 0.45, THREE.GreaterDepth, 11)] : [];
  const trail_upto = trails.length ? take(Uint32Array, head.trails_through.upto) : null;

  // words
  document.title = head.title || "Graze";
  $("title").textContent = head.title;
  for (const line of head.caption) { const d = document.createElement("div"); d.textContent = line; $("caption").appendChild(d); }
  for (const [color, text] of head.legend) { const d = document.createElement("div"), i = document.createElement("i"); i.style.background = color; d.append(i, text); $("legend").appendChild(d); }
  const labels = head.labels.map(l => { const s = document.createElement("span"); s.textContent = l.text; $("labels").appendChild(s); return {at: v3(l.at), s}; });

  // the view: turns about the target, stays upright
  const up = v3(head.camera.up).normalize(), start = {eye: v3(head.camera.eye), target: v3(head.camera.target)};
  const view = {eye: start.eye.clone(), target: start.target.clone()};
  let flight = null, dirty = true;
  const low = v3(head.min), high = v3(head.max);
  function fly(eye, target) { flight = {from: {eye: view.eye.clone(), target: view.target.clone()}, to: {eye, target}, since: performance.now()}; dirty = true; }
  function turn(dx, dy) {
    const back = view.eye.clone().sub(view.target), right = new THREE.Vector3().crossVectors(up, back).normalize();
    back.applyAxisAngle(up, -dx * 0.006);
    const angle = back.angleTo(up), wish = Math.min(Math.max(angle - dy * 0.006, 0.03), Math.PI - 0.03);
    back.applyAxisAngle(new THREE.Vector3().crossVectors(up, back).normalize(), wish - angle);
    view.eye.copy(view.target).add(back);
    flight = null; dirty = true;
  }
  function shift(dx, dy) {
    const back = view.eye.clone().sub(view.target), right = new THREE.Vector3().crossVectors(up, back).normalize(), top = new THREE.Vector3().crossVectors(back, right).normalize();
    const f = 2 * back.length() * Math.tan(camera.fov * Math.PI / 360) / window.innerHeight;
    const by = right.multiplyScalar(-dx * f).add(top.multiplyScalar(dy * f));
    view.eye.add(by); view.target.add(by);
    flight = null; dirty = true;
  }
  function zoom(factor) {
    const back = view.eye.clone().sub(view.target), n = Math.min(Math.max(back.length() * factor, head.size * 1e-5), head.size * 20);
    view.eye.copy(view.target).add(back.setLength(n));
    flight = null; dirty = true;
  }
  const whole = () => fly(start.eye.clone(), start.target.clone());
  const stage = $("stage"), fingers = new Map();
  stage.addEventListener("pointerdown", e => { stage.setPointerCapture(e.pointerId); fingers.set(e.pointerId, {x: e.clientX, y: e.clientY, move: e.button === 2 || e.button === 1 || e.shiftKey}); });
  stage.addEventListener("pointermove", e => {
    const f = fingers.get(e.pointerId);
    if (!f) return;
    const dx = e.clientX - f.x, dy = e.clientY - f.y;
    if (fingers.size === 2) {
      const other = [...fingers.entries()].find(([id]) => id !== e.pointerId)[1];
      const before = Math.hypot(f.x - other.x, f.y - other.y), now = Math.hypot(e.clientX - other.x, e.clientY - other.y);
      if (before > 0 && now > 0) zoom(before / now);
      shift(dx / 2, dy / 2);
    } else if (f.move) shift(dx, dy);
    else turn(dx, dy);
    f.x = e.clientX; f.y = e.clientY;
  });
  for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, e => fingers.delete(e.pointerId));
  stage.addEventListener("contextmenu", e => e.preventDefault());
  stage.addEventListener("dblclick", whole);
  stage.addEventListener("wheel", e => { e.preventDefault(); zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY * 0.0015)))); }, {passive: false});

  // hits
  const places = [];
  let chosen = -1;
  function show(i) {
    const h = head.hits[i], at = v3(h.at), back = view.eye.clone().sub(view.target).normalize();
    fly(at.clone().add(back.multiplyScalar(Math.max(h.size * 8, head.size * 0.05))), at);
    if (frames && h.frame !== undefined) { playing = false; set_frame(h.frame); }
    if (chosen >= 0) places[chosen].setAttribute("aria-current", "false");
    places[i].setAttribute("aria-current", "true");
    chosen = i;
  }
  for (let i = 0; i < head.hits.length; ++i) {
    const li = document.createElement("li"), b = document.createElement("button");
    b.textContent = head.hits[i].text;
    b.addEventListener("click", () => show(i));
    li.appendChild(b); $("hits").appendChild(li); places.push(b);
  }
  if (!head.hits.length) $("side").hidden = true, $("side").style.display = "none";
  $("fold").textContent = head.hits_title;
  $("fold").addEventListener("click", () => { const hide = !$("hits").hidden; $("hits").hidden = hide; dirty = true; $("fold").setAttribute("aria-expanded", String(!hide)); });
  $("side").style.top = (($("legend").getBoundingClientRect().bottom || 60) + 14) + "px";

  // time
  const frames = head.frames ? {...head.frames, places: take(Float32Array, head.frames.places)} : null;
  // sheets: each frame's vertices are differences from the frame before
  const sheets = (frames && head.sheets || []).map(sheet => {
    const values = take(Uint16Array, sheet.places).slice(), n = 3 * sheet.vertices, surface = head.parts[sheet.part].surface;
    for (let i = n; i < values.length; ++i) values[i] += values[i - n];
    bodies[sheet.part].traverse(x => { x.frustumCulled = false; });
    return {...sheet, values, indices: take(Uint32Array, head.surfaces[surface].indices), attribute: geometries[surface].attributes.position};
  });
  function sheet_vertex(sheet, n, v) { const at = n * 3 * sheet.vertices; return [0, 1, 2].map(k => sheet.low[k] + sheet.cell[k] * sheet.values[at + k * sheet.vertices + v]); }
  function bend(sheet, n) {
    const to = sheet.attribute.array, at = n * 3 * sheet.vertices;
    for (let i = 0; i < sheet.indices.length; ++i)
      for (let k = 0; k < 3; ++k) to[3 * i + k] = sheet.low[k] + sheet.cell[k] * sheet.values[at + k * sheet.vertices + sheet.indices[i]];
    sheet.attribute.needsUpdate = true;
  }
  let frame = 0, playing = false, owed = 0, last = 0;
  function set_frame(n) {
    frame = Math.max(0, Math.min(frames.count - 1, Math.round(n)));
    for (let i = 0; i < frames.moving; ++i) {
      const at = 7 * (frame * frames.moving + i), f = frames.places, body = bodies[frames.first + i];
      body.position.set(f[at], f[at + 1], f[at + 2]);
      body.quaternion.set(f[at + 4], f[at + 5], f[at + 6], f[at + 3]);
    }
    for (const sheet of sheets) bend(sheet, frame);
    for (const t of trails) { t.geometry.maxInstancedCount = trail_upto[frame]; t.visible = trail_upto[frame] > 0; }
    $("scrub").value = frame;
    $("clock").textContent = (frame * frames.seconds).toFixed(3) + " s, frame " + frame;
    dirty = true;
  }
  function play(yes) { playing = yes; if (playing && frame === frames.count - 1) set_frame(0); owed = 0; $("play").textContent = playing ? "Pause" : "Play"; }
  if (frames) {
    document.body.classList.add("plays");
    $("player").hidden = false;
    $("scrub").max = frames.count - 1;
    $("scrub").addEventListener("input", e => { play(false); set_frame(+e.target.value); });
    $("play").addEventListener("click", () => play(!playing));
    $("back").addEventListener("click", () => { play(false); set_frame(frame - 1); });
    $("on").addEventListener("click", () => { play(false); set_frame(frame + 1); });
    set_frame(0);
  }
  window.addEventListener("keydown", e => {
    if (e.target.tagName === "SELECT" || (e.target.tagName === "BUTTON" && (e.key === " " || e.key === "Enter"))) return;
    const k = e.key;
    if (k === " " && frames) { play(!playing); e.preventDefault(); }
    else if (k === "." && frames) { play(false); set_frame(frame + 1); }
    else if (k === "," && frames) { play(false); set_frame(frame - 1); }
    else if (e.target.id === "scrub") return;
    else if (k === "ArrowLeft") turn(20, 0);
    else if (k === "ArrowRight") turn(-20, 0);
    else if (k === "ArrowUp") turn(0, 20);
    else if (k === "ArrowDown") turn(0, -20);
    else if (k === "+") zoom(0.9);
    else if (k === "-") zoom(1 / 0.9);
    else if (k === "r" || k === "R") whole();
  });

  function resize() { renderer.setPixelRatio(window.devicePixelRatio); renderer.setSize(window.innerWidth, window.innerHeight); dirty = true; }
  window.addEventListener("resize", resize);
  resize();

  function draw(now) {
    if (frames && playing) {
      owed += (now - last) / 1000 * +$("speed").value;
      const steps = Math.floor(owed / frames.seconds);
      if (steps > 0) { owed -= steps * frames.seconds; if (frame + steps >= frames.count) { set_frame(frames.count - 1); play(false); } else set_frame(frame + steps); }
    }
    last = now;
    if (flight) {
      const u = Math.min(1, (now - flight.since) / 450), s = u * u * (3 - 2 * u);
      view.eye.lerpVectors(flight.from.eye, flight.to.eye, s);
      view.target.lerpVectors(flight.from.target, flight.to.target, s);
      if (u >= 1) flight = null;
      dirty = true;
    }
    if (dirty) {
      dirty = false;
      const list = head.hits.length && !$("hits").hidden && window.innerWidth > 700 ? $("side").offsetWidth + 14 : 0;  // the view is what the list leaves free
      const aspect = (window.innerWidth - list) / window.innerHeight;
      let tan = Math.tan(head.camera.fov / 2);
      if (head.camera.aspect > aspect) tan *= head.camera.aspect / aspect;
      camera.fov = 2 * Math.atan(tan) * 180 / Math.PI;
      camera.aspect = window.innerWidth / window.innerHeight;
      if (list) camera.setViewOffset(window.innerWidth, window.innerHeight, list / 2, 0, window.innerWidth, window.innerHeight); else camera.clearViewOffset();
      camera.up.copy(up);
      camera.position.copy(view.eye);
      camera.lookAt(view.target);
      const reach = view.eye.distanceTo(view.target);
      let far = reach;
      for (let i = 0; i < 8; ++i) far = Math.max(far, view.eye.distanceTo(new THREE.Vector3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z)));
      camera.far = far * 1.1 + head.size * 1e-6;
      camera.near = Math.max(reach * 1e-3, camera.far * 1e-5);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      for (const m of flats) { m.uniforms.screen.value.set(renderer.domElement.width, renderer.domElement.height); m.uniforms.scale.value = window.devicePixelRatio * Math.max(0.6, Math.min(window.innerWidth / 1280, window.innerHeight / 800)); }
      renderer.render(scene, camera);
      for (const l of labels) {
        const p = l.at.clone().project(camera);
        l.s.style.display = p.z < 1 ? "" : "none";
        l.s.style.transform = `translate(${((p.x + 1) / 2 * window.innerWidth + 10).toFixed(1)}px, ${((1 - p.y) / 2 * window.innerHeight - l.s.offsetHeight - 4).toFixed(1)}px)`;
      }
      state.drawn += 1;
    }
    requestAnimationFrame(draw);
  }
  const state = {drawn: 0, head, view, bodies, show, set_frame: n => set_frame(n), frame_places: n => bodies.slice(frames.first, frames.first + frames.moving).map((_, i) => Array.from(frames.places.slice(7 * (n * frames.moving + i), 7 * (n * frames.moving + i) + 3))), sheet_places: (k, n) => Array.from({length: sheets[k].vertices}, (_, v) => sheet_vertex(sheets[k], n, v)), trail_shown: () => trails.length && trails[0].visible ? trails[0].geometry.maxInstancedCount : 0, get frame() { return frame; }, get flying() { return flight !== null; }, get playing() { return playing; }};
  window.graze = state;
  requestAnimationFrame(now => { last = now; draw(now); });
}
main().catch(e => { trouble(e.message); console.error(e); });
)page";

}  // namespace graze::view
