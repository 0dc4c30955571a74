// The view of the chosen finding: both parts, the contact, and a camera that is tight on it. Without the viewer's library, its picture or a note.
//
// shapes: { up, meshes: [{ middle, counts: [vertices, triangles, lines], data }], parts: { path: { mesh, turn (nine numbers), at } },
//           views: { finding: { eye, target, glass } }, marks: { finding: { counts: [strokes, dots, triangles], data } } }
// Or null. `data` is deflated and in base64: the numbers of each mesh relative to its middle, those of marks relative to the finding's point.
const shapes = JSON.parse($('shapes').textContent);
let stage_view = null; // made with the first finding that has shapes

function stage_key(key) {
  if (!stage_view) return false;
  const button = { f: 'tight', r: 'whole', g: 'glass', e: 'edges' }[key.toLowerCase()];
  if (button) $(button).click();
  return button !== undefined;
}

function note(text) {
  $('no_view').textContent = text;
}

function show_shapes(r) {
  for (const image of $('stage').querySelectorAll('img')) image.remove();
  const parts = r && shapes ? [r.a, r.b].map(p => shapes.parts[path_of(p)]) : [],
    drawn = parts.length === 2 && parts.every(p => p && shapes.meshes[p.mesh]);
  if (stage_view) stage_view.canvas.hidden = !drawn;
  $('tools').hidden = !drawn;
  $('stage').classList.toggle('alive', drawn);
  state.shaped = drawn;
  if (drawn) {
    note('');
    try {
      if (!stage_view) stage_view = make_stage();
      stage_view.canvas.hidden = false;
      stage_view.show(r, parts).catch(e => trouble(e.message));
    } catch (e) {
      $('tools').hidden = true;
      note('This browser cannot draw in 3D: ' + e.message);
    }
    return;
  }
  if (r && pictures[r.id]) {
    const image = element('img');
    image.src = pictures[r.id];
    image.alt = 'both parts at the contact';
    $('stage').append(image);
  }
  note(
    !r
      ? ''
      : !shapes
        ? 'This page was written without the viewer: it has no pictures.'
        : r.status === 'resolved'
          ? ''
          : 'These parts are not in the page, which is limited in size.',
  );
}

// ---- in three dimensions

const hit_color = [213 / 255, 94 / 255, 0],
  gap_color = [204 / 255, 121 / 255, 167 / 255];

// Returns a function that gives the geometry of a mesh, whose numbers are unpacked when it is first shown.
function make_meshes(stage) {
  const loaded = new Map();
  async function load({ counts: [vertices, triangles, lines], data }) {
    const buffer = await unpack(data),
      s = {
        positions: [0, 3 * vertices, buffer],
        indices: [12 * vertices, 3 * triangles, buffer],
        lines: [12 * (vertices + triangles), 7 * lines, buffer],
      };
    return { surface: stage.geometry(s), lines: stage.line_geometry(s) };
  }
  return i => {
    if (!loaded.has(i)) loaded.set(i, load(shapes.meshes[i]));
    return loaded.get(i);
  };
}

// Both parts, relative to the finding's point.
function make_bodies(stage) {
  let bodies = [],
    glass = false,
    edges = true;
  function place(group, part, m, origin) {
    const t = part.turn,
      at = [0, 1, 2].map(k => t[3 * k] * m[0] + t[3 * k + 1] * m[1] + t[3 * k + 2] * m[2] + part.at[k] - origin[k]);
    group.matrixAutoUpdate = false;
    group.matrix.set(t[0], t[1], t[2], at[0], t[3], t[4], t[5], at[1], t[6], t[7], t[8], at[2], 0, 0, 0, 1);
    group.matrixWorldNeedsUpdate = true;
  }
  function style() {
    for (const body of bodies) {
      for (const child of [...body.children]) body.remove(child);
      const opacity = glass ? 0.3 : body.userData.opacity,
        // faces of B stand back where they lie on faces of A, which would flicker
        back = body.userData.back ? { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 } : {},
        add = (m, order, g) => {
          const mesh = add_mesh(body, g || body.userData.mesh.surface, m, order);
          mesh.frustumCulled = false;
          return mesh;
        };
      stage.add_faces(add, { color: body.userData.color, edges: true }, opacity, back);
      if (edges && body.userData.mesh.lines) stage.add_lines(add, opacity, body.userData.mesh.lines);
    }
    $('glass').setAttribute('aria-pressed', String(glass));
    $('edges').setAttribute('aria-pressed', String(edges));
    stage.changed();
  }
  function show(r, parts, meshes) {
    for (const body of bodies) stage.scene.remove(body);
    bodies = meshes.map((mesh, k) => {
      const body = new THREE.Group();
      place(body, parts[k], shapes.meshes[parts[k].mesh].middle, r.point);
      body.userData = { mesh, back: k === 1, color: k === 0 ? '#56b4e9' : '#e69f00', opacity: shapes.views[r.id].glass === k ? 0.35 : 1 };
      stage.scene.add(body);
      return body;
    });
    style();
    return bodies;
  }
  return {
    show,
    any: () => bodies.length > 0,
    toggle_glass: () => {
      glass = !glass;
      style();
    },
    toggle_edges: () => {
      edges = !edges;
      style();
    },
  };
}

// Without the contact itself: the box around it.
function box_strokes(region, origin) {
  const corner = i => [0, 1, 2].map(k => region[i & (1 << k) ? k + 3 : k] - origin[k]),
    out = [];
  for (let i = 0; i < 8; ++i) for (const bit of [1, 2, 4]) if (!(i & bit)) out.push(...corner(i), ...corner(i | bit));
  return new Float32Array(out);
}

// Dots as strokes that end where they start.
function twice(dots) {
  const out = new Float32Array(dots.length * 2);
  for (let i = 0; i < dots.length; i += 3) for (let k = 0; k < 3; ++k) out[2 * i + k] = out[2 * i + 3 + k] = dots[i + k];
  return out;
}

// The contact: its curves, points and areas.
function make_marks(stage) {
  const materials = new Map();
  let marks = [];
  function material(color, dots, width, opacity, depth) {
    const key = [color, dots, width, opacity, depth].join();
    if (!materials.has(key)) materials.set(key, stage.flat_material(opacity, depth, { dots, color: [...color, (width * 4) / 255] }));
    return materials.get(key);
  }
  function add_lines(places, dots, color, width) {
    if (places.length === 0) return;
    for (const [opacity, depth, order] of through_looks()) {
      const mesh = stage.flat_mesh(places, null, material(color, dots, width, opacity, depth), order + (dots ? 1 : 0));
      stage.scene.add(mesh);
      marks.push(mesh);
    }
  }
  function add_areas(places) {
    if (places.length === 0) return;
    const look = { color: '#d55e00', depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 };
    for (const [opacity, depthFunc] of [
      [1, THREE.LessEqualDepth],
      [0.45, THREE.GreaterDepth],
    ])
      marks.push(add_area(stage.scene, places, 9, { ...look, opacity, depthFunc }));
  }
  return (r, mark, buffer) => {
    for (const mesh of marks) {
      stage.scene.remove(mesh);
      mesh.geometry.dispose();
    }
    marks = [];
    const color = r.verdict === 'near' ? gap_color : hit_color;
    if (mark) {
      const [strokes, dots, triangles] = mark.counts;
      add_areas(stage.take(Float32Array, [24 * strokes + 12 * dots, 9 * triangles, buffer]));
      add_lines(stage.take(Float32Array, [0, 6 * strokes, buffer]), false, color, 4);
      add_lines(twice(stage.take(Float32Array, [24 * strokes, 3 * dots, buffer])), true, color, 12);
    } else {
      add_lines(box_strokes(r.region, r.point), false, color, 2);
      add_lines(new Float32Array(6), true, color, 12);
    }
    return marks;
  };
}

// A cube around both parts: its middle and half a side.
function cube_of(bodies) {
  const sphere = new THREE.Sphere(),
    box = new THREE.Box3();
  for (const body of bodies) {
    sphere.copy(body.userData.mesh.surface.boundingSphere).applyMatrix4(body.matrix);
    for (const sign of [-1, 1]) box.expandByPoint(sphere.center.clone().addScalar(sign * sphere.radius));
  }
  return { middle: box.getCenter(new THREE.Vector3()), radius: box.getSize(new THREE.Vector3()).length() / 2 / Math.sqrt(3) || 1 };
}

function make_stage() {
  const view = { eye: new THREE.Vector3(0, -1, 0), target: new THREE.Vector3(), up: vector(shapes.up) },
    take = (type, [at, count, buffer]) => new type(buffer, at, count),
    stage = open_stage(take, { paper: '#f7f7f5', ink: '#191c20', view, size: 1 }),
    { camera, screen, hand, canvas } = stage,
    mesh_of = make_meshes(stage),
    bodies = make_bodies(stage),
    mark = make_marks(stage);
  let size = 1, // of both parts
    tight = null,
    whole = null,
    shown = 0; // counts the findings that were shown
  async function show(r, parts) {
    const turn = ++shown,
      marked = shapes.marks[r.id];
    const [a, b, buffer] = await Promise.all([mesh_of(parts[0].mesh), mesh_of(parts[1].mesh), marked ? unpack(marked.data) : null]);
    if (turn !== shown) return; // another finding was chosen meanwhile
    const now = bodies.show(r, parts, [a, b]),
      marks = mark(r, marked, buffer),
      [eye, target] = [shapes.views[r.id].eye, shapes.views[r.id].target].map(p => vector(p.map((x, k) => x - r.point[k]))),
      { middle, radius } = cube_of(now);
    tight = { eye, target };
    whole = { eye: middle.clone().add(eye.clone().sub(target).setLength(radius * 3)), target: middle };
    size = Math.max(2 * radius, eye.distanceTo(target));
    hand.resize_to(size);
    hand.jump(tight.eye, tight.target);
    state.stage = { bodies: now, marks, view, camera };
  }
  function render() {
    // a narrow view shows as much as a wide one
    camera.fov = (2 * Math.atan(Math.tan(Math.PI / 8) / Math.min(1, (camera.aspect * 3) / 4)) * 180) / Math.PI;
    const reach = view.eye.distanceTo(view.target);
    stage.aim(camera, view.eye, view.target, (reach + 2 * size + view.target.length()) * 1.1, screen.width, screen.height);
    stage.renderer.render(stage.scene, camera);
    state.drawn += 1;
  }
  const go = to => hand.fly(to.eye.clone(), to.target.clone());
  for (const [id, f] of [
    ['tight', () => go(tight)],
    ['whole', () => go(whole)],
    ['glass', bodies.toggle_glass],
    ['edges', bodies.toggle_edges],
  ])
    $(id).addEventListener('click', f);
  $('stage').addEventListener('dblclick', () => go(whole));
  stage.run({ ready: () => !canvas.hidden && bodies.any(), render });
  return { canvas, show };
}
