// What the pages draw with: the arrays of the page's data, geometries and materials. page.js shows them.
const $ = id => document.getElementById(id);
function trouble(text) {
  $('trouble').textContent = text;
  $('trouble').hidden = false;
}

async function unpack(text) {
  const raw = atob(text),
    bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  if (typeof DecompressionStream === 'undefined') throw new Error('This page needs a browser of 2023 or later (DecompressionStream).');
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

function geometry_of(take, s) {
  const g = new THREE.BufferGeometry();
  let positions = take(Float32Array, s.positions),
    colors,
    normals;
  if (s.indices) {
    const indices = take(Uint32Array, s.indices),
      all = new Float32Array(indices.length * 3);
    for (let i = 0; i < indices.length; ++i) {
      const v = 3 * indices[i];
      all[3 * i] = positions[v];
      all[3 * i + 1] = positions[v + 1];
      all[3 * i + 2] = positions[v + 2];
    }
    positions = all;
    colors = new Uint8Array(indices.length * 4).fill(255);
    normals = new Int8Array(indices.length * 4);
  } else {
    colors = take(Uint8Array, s.colors);
    normals = take(Int8Array, s.normals);
  }
  const corner = new Float32Array(positions.length / 3);
  for (let i = 0; i < corner.length; ++i) corner[i] = i % 3;
  g.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  g.setAttribute('normal', new THREE.BufferAttribute(normals, 4, true));
  g.setAttribute('color', new THREE.BufferAttribute(colors, 4, true));
  g.setAttribute('corner', new THREE.BufferAttribute(corner, 1));
  g.computeBoundingSphere();
  return g;
}

// One quad per stroke, dot or line, widened in screen space
function quads(attributes, count) {
  const g = new THREE.InstancedBufferGeometry();
  g.setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]), 3));
  g.setIndex([0, 1, 2, 2, 1, 3]);
  for (const [name, attribute] of attributes) g.setAttribute(name, attribute);
  g.maxInstancedCount = count;
  return g;
}

function make_flat_material(ink, opacity, depthFunc, more) {
  const { dots = false, nearer = 1e-3, wider = 0, color = null, extra = {} } = more;
  const m = new THREE.RawShaderMaterial({
    vertexShader: FLAT_VERTEX,
    fragmentShader: FLAT_FRAGMENT,
    side: THREE.DoubleSide,
    transparent: opacity < 1,
    depthWrite: opacity >= 1,
    depthFunc,
    uniforms: {
      screen: { value: new THREE.Vector2(1, 1) },
      scale: { value: 1 },
      is_dot: { value: dots ? 1 : 0 },
      opacity: { value: opacity },
      rim: { value: ink },
      rimmed: { value: color ? 0 : 1 },
      nearer: { value: nearer },
      wider: { value: wider },
    },
    ...extra,
  });
  m.defaultAttributeValues = { size: [1e9], color: color || [0, 0, 0, 0] }; // for geometries without these
  return m;
}

// The edges of a surface, or null.
function strokes_of(take, s) {
  if (!s.lines || !s.lines[1]) return null;
  const all = new THREE.InstancedInterleavedBuffer(take(Float32Array, s.lines), 7, 1);
  return quads(
    [
      ['a', new THREE.InterleavedBufferAttribute(all, 3, 0)],
      ['b', new THREE.InterleavedBufferAttribute(all, 3, 3)],
      ['size', new THREE.InterleavedBufferAttribute(all, 1, 6)],
    ],
    s.lines[1] / 7,
  );
}

function surface_material(part, mark, opacity, extra) {
  return new THREE.RawShaderMaterial({
    vertexShader: SURFACE_VERTEX,
    fragmentShader: SURFACE_FRAGMENT,
    side: THREE.DoubleSide,
    transparent: opacity < 1,
    depthWrite: opacity >= 1,
    polygonOffset: opacity >= 1,
    polygonOffsetFactor: mark ? -1 : 1,
    polygonOffsetUnits: mark ? -1 : 1,
    extensions: { derivatives: true },
    uniforms: {
      tint: { value: new THREE.Color(part.color) },
      edge_color: { value: new THREE.Color('#191c20') },
      opacity: { value: opacity },
      all_edges: { value: part.triangles ? 1 : 0 },
      edge_width: { value: 0 },
      lit: { value: part.lit === false ? 0 : 1 },
    },
    userData: { part },
    ...extra,
  });
}

function flat_mesh(places, colors, m, order) {
  const both = new THREE.InstancedInterleavedBuffer(places, 6, 1),
    attributes = [
      ['a', new THREE.InterleavedBufferAttribute(both, 3, 0)],
      ['b', new THREE.InterleavedBufferAttribute(both, 3, 3)],
    ];
  if (colors) attributes.push(['color', new THREE.InstancedBufferAttribute(colors, 4, true, 1)]);
  const mesh = new THREE.Mesh(quads(attributes, places.length / 6), m);
  mesh.frustumCulled = false;
  mesh.renderOrder = order;
  return mesh;
}

// `take` returns an array of the data, `ink` is the colour of rims.
function drawing(take, ink) {
  const flats = [],
    materials = new Map();
  function flat_material(opacity, depthFunc, more) {
    const m = make_flat_material(ink, opacity, depthFunc, more);
    flats.push(m);
    return m;
  }
  function material(part, opacity, extra) {
    const mark = part.through && part.lit === false; // on a face, in front of it
    const key = JSON.stringify([part.color, part.edges, part.lit, part.triangles, mark, opacity, extra]);
    if (!materials.has(key)) materials.set(key, surface_material(part, mark, opacity, extra));
    return materials.get(key);
  }
  return { geometry: s => geometry_of(take, s), line_geometry: s => strokes_of(take, s), flat_material, material, flat_mesh, flats, materials };
}
