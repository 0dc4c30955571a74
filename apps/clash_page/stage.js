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

function make_stage() {
  const v3 = a => new THREE.Vector3(a[0], a[1], a[2]);
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true }),
    canvas = renderer.domElement,
    paper = '#f7f7f5';
  renderer.setClearColor(new THREE.Color(paper));
  $('stage').prepend(canvas);
  const scene = new THREE.Scene(),
    camera = new THREE.PerspectiveCamera(45, 1, 0.01, 100),
    take = (type, [at, count, buffer]) => new type(buffer, at, count),
    { geometry, line_geometry, flat_material, material, flat_mesh, flats } = drawing(take, new THREE.Color('#191c20'));
  const view = { eye: new THREE.Vector3(0, -1, 0), target: new THREE.Vector3(), up: v3(shapes.up) },
    screen = { width: 1, height: 1 };
  let dirty = true,
    glass = false,
    edges = true,
    size = 1, // of both parts
    tight = null,
    whole = null,
    shown = 0; // counts the findings that were shown
  const hand = orbit($('stage'), view, camera, screen, size, () => {
    dirty = true;
  });

  const hit = [213 / 255, 94 / 255, 0],
    gap = [204 / 255, 121 / 255, 167 / 255],
    line_materials = [0.7, 0.3].map(o =>
      flat_material(o, THREE.LessEqualDepth, { nearer: 4e-4, color: [25 / 255, 28 / 255, 32 / 255, (1.1 * 4) / 255] }),
    );
  const flat_looks = [
    [1, THREE.LessEqualDepth, 1],
    [0.6, THREE.LessEqualDepth, 11],
    [0.45, THREE.GreaterDepth, 11],
  ];
  const mark_materials = new Map();
  function mark_material(color, dots, width, opacity, depth) {
    const key = [color, dots, width, opacity, depth].join();
    if (!mark_materials.has(key)) mark_materials.set(key, flat_material(opacity, depth, { dots, color: [...color, (width * 4) / 255] }));
    return mark_materials.get(key);
  }

  // the numbers of meshes, unpacked when they are first shown
  const loaded = new Map();
  function mesh_of(i) {
    if (!loaded.has(i))
      loaded.set(
        i,
        unpack(shapes.meshes[i].data).then(buffer => {
          const [vertices, triangles, lines] = shapes.meshes[i].counts,
            s = {
              positions: [0, 3 * vertices, buffer],
              indices: [12 * vertices, 3 * triangles, buffer],
              lines: [12 * (vertices + triangles), 7 * lines, buffer],
            };
          return { surface: geometry(s), lines: line_geometry(s) };
        }),
      );
    return loaded.get(i);
  }
  function place(group, part, middle, origin) {
    const t = part.turn,
      m = middle,
      at = [0, 1, 2].map(k => t[3 * k] * m[0] + t[3 * k + 1] * m[1] + t[3 * k + 2] * m[2] + part.at[k] - origin[k]);
    group.matrixAutoUpdate = false;
    group.matrix.set(t[0], t[1], t[2], at[0], t[3], t[4], t[5], at[1], t[6], t[7], t[8], at[2], 0, 0, 0, 1);
    group.matrixWorldNeedsUpdate = true;
  }
  let bodies = [],
    marks = [];
  function style() {
    for (const body of bodies) {
      for (const child of [...body.children]) body.remove(child);
      const opacity = glass ? 0.3 : body.userData.opacity,
        // faces of B stand back where they lie on faces of A, which would flicker
        back = body.userData.back ? { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 } : {},
        look = { color: body.userData.color, edges: true };
      const add = (m, order, g) => {
        const x = new THREE.Mesh(g || body.userData.mesh.surface, m);
        x.renderOrder = order;
        x.frustumCulled = false;
        body.add(x);
      };
      if (opacity >= 1) add(material(look, 1, back), 0);
      else {
        add(material(look, opacity, { ...back, side: THREE.BackSide }), 3);
        add(material(look, opacity, { ...back, side: THREE.FrontSide }), 4);
      }
      if (edges && body.userData.mesh.lines) add(line_materials[opacity >= 1 ? 0 : 1], opacity >= 1 ? 0 : 7, body.userData.mesh.lines);
    }
    $('glass').setAttribute('aria-pressed', String(glass));
    $('edges').setAttribute('aria-pressed', String(edges));
    dirty = true;
  }
  function add_flats(places, dots, color, width) {
    if (places.length === 0) return;
    for (const [opacity, depth, order] of flat_looks) {
      const mesh = flat_mesh(places, null, mark_material(color, dots, width, opacity, depth), order + (dots ? 1 : 0));
      scene.add(mesh);
      marks.push(mesh);
    }
  }
  function add_area(places) {
    if (places.length === 0) return;
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(places, 3));
    for (const [opacity, depthFunc] of [
      [1, THREE.LessEqualDepth],
      [0.45, THREE.GreaterDepth],
    ]) {
      const mesh = new THREE.Mesh(
        g,
        new THREE.MeshBasicMaterial({
          color: '#d55e00',
          side: THREE.DoubleSide,
          transparent: true,
          opacity,
          depthFunc,
          depthWrite: false,
          polygonOffset: true,
          polygonOffsetFactor: -2,
          polygonOffsetUnits: -2,
        }),
      );
      mesh.renderOrder = 9;
      mesh.frustumCulled = false;
      scene.add(mesh);
      marks.push(mesh);
    }
  }
  // Without the contact itself: the box around it.
  function box_strokes(region, origin) {
    const corner = i => [0, 1, 2].map(k => region[i & (1 << k) ? k + 3 : k] - origin[k]),
      out = [];
    for (let i = 0; i < 8; ++i) for (const bit of [1, 2, 4]) if (!(i & bit)) out.push(...corner(i), ...corner(i | bit));
    return new Float32Array(out);
  }
  const twice = dots => {
    const out = new Float32Array(dots.length * 2);
    for (let i = 0; i < dots.length; i += 3) for (let k = 0; k < 3; ++k) out[2 * i + k] = out[2 * i + 3 + k] = dots[i + k];
    return out;
  };

  async function show(r, parts) {
    const turn = ++shown,
      origin = r.point,
      mark = shapes.marks[r.id];
    const [a, b, buffer] = await Promise.all([mesh_of(parts[0].mesh), mesh_of(parts[1].mesh), mark ? unpack(mark.data) : null]);
    if (turn !== shown) return; // another finding was chosen meanwhile
    for (const body of bodies) scene.remove(body);
    for (const mesh of marks) {
      scene.remove(mesh);
      mesh.geometry.dispose();
    }
    marks = [];
    bodies = [a, b].map((mesh, k) => {
      const body = new THREE.Group();
      place(body, parts[k], shapes.meshes[parts[k].mesh].middle, origin);
      body.userData = { mesh, back: k === 1, color: k === 0 ? '#56b4e9' : '#e69f00', opacity: shapes.views[r.id].glass === k ? 0.35 : 1 };
      scene.add(body);
      return body;
    });
    const color = r.verdict === 'near' ? gap : hit;
    if (mark) {
      const [strokes, dots, triangles] = mark.counts;
      add_area(take(Float32Array, [24 * strokes + 12 * dots, 9 * triangles, buffer]));
      add_flats(take(Float32Array, [0, 6 * strokes, buffer]), false, color, 4);
      add_flats(twice(take(Float32Array, [24 * strokes, 3 * dots, buffer])), true, color, 12);
    } else {
      add_flats(box_strokes(r.region, origin), false, color, 2);
      add_flats(new Float32Array(6), true, color, 12);
    }
    const [eye, target] = [shapes.views[r.id].eye, shapes.views[r.id].target].map(p => v3(p.map((x, k) => x - origin[k])));
    tight = { eye, target };
    const sphere = new THREE.Sphere(),
      box = new THREE.Box3();
    bodies.forEach((body, k) => {
      sphere.copy([a, b][k].surface.boundingSphere).applyMatrix4(body.matrix);
      for (const sign of [-1, 1]) box.expandByPoint(sphere.center.clone().addScalar(sign * sphere.radius));
    });
    const middle = box.getCenter(new THREE.Vector3()),
      radius = box.getSize(new THREE.Vector3()).length() / 2 / Math.sqrt(3) || 1;
    size = Math.max(2 * radius, tight.eye.distanceTo(tight.target));
    hand.resize_to(size);
    whole = {
      eye: middle.clone().add(
        tight.eye
          .clone()
          .sub(tight.target)
          .setLength(radius * 3),
      ),
      target: middle,
    };
    hand.jump(tight.eye, tight.target);
    style();
    state.stage = { bodies, marks, view, camera };
  }
  const go = to => hand.fly(to.eye.clone(), to.target.clone());
  for (const [id, f] of [
    ['tight', () => go(tight)],
    ['whole', () => go(whole)],
    [
      'glass',
      () => {
        glass = !glass;
        style();
      },
    ],
    [
      'edges',
      () => {
        edges = !edges;
        style();
      },
    ],
  ])
    $(id).addEventListener('click', f);
  $('stage').addEventListener('dblclick', () => go(whole));

  function resize() {
    const box = $('stage').getBoundingClientRect();
    screen.width = Math.max(1, Math.round(box.width));
    screen.height = Math.max(1, Math.round(box.height));
    renderer.setPixelRatio(window.devicePixelRatio);
    renderer.setSize(screen.width, screen.height);
    dirty = true;
  }
  new ResizeObserver(resize).observe($('stage'));
  resize();
  function draw(now) {
    hand.step(now);
    if (dirty && !canvas.hidden && bodies.length > 0) {
      dirty = false;
      camera.aspect = screen.width / screen.height;
      // a narrow view shows as much as a wide one
      camera.fov = (2 * Math.atan(Math.tan(Math.PI / 8) / Math.min(1, (camera.aspect * 3) / 4)) * 180) / Math.PI;
      camera.up.copy(view.up);
      camera.position.copy(view.eye);
      camera.lookAt(view.target);
      const reach = view.eye.distanceTo(view.target);
      camera.far = (reach + 2 * size + view.target.length()) * 1.1;
      camera.near = Math.max(reach * 1e-3, camera.far * 1e-5);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      for (const m of flats) {
        m.uniforms.screen.value.set(canvas.width, canvas.height);
        m.uniforms.scale.value = window.devicePixelRatio * Math.max(0.75, Math.min(screen.width / 1280, screen.height / 800));
      }
      renderer.render(scene, camera);
      state.drawn += 1;
    }
    requestAnimationFrame(draw);
  }
  requestAnimationFrame(draw);
  return { canvas, show };
}
