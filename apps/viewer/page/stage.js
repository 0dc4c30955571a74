// What all pages show their picture on: renderer, scene, camera, and the loop that draws when something has changed.
const vector = a => new THREE.Vector3(a[0], a[1], a[2]);

// Ways to draw a line or a dot that other parts may hide: opacity, depth function, and when.
const through_looks = () => [
  [1, THREE.LessEqualDepth, 1],
  [0.6, THREE.LessEqualDepth, 11],
  [0.45, THREE.GreaterDepth, 11],
];

// `take` is as in drawing(), `paper` and `ink` are colours; `view` has eye, target and up, `size` is that of the whole picture.
function open_stage(take, { paper, ink, view, size }) {
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true }),
    camera = new THREE.PerspectiveCamera(45, 1, 0.01, 100),
    screen = { width: 1, height: 1 },
    tools = drawing(take, new THREE.Color(ink)),
    line_materials = [0.7, 0.3].map(o =>
      tools.flat_material(o, THREE.LessEqualDepth, { nearer: 4e-4, color: [25 / 255, 28 / 255, 32 / 255, (1.1 * 4) / 255] }),
    );
  renderer.setClearColor(new THREE.Color(paper));
  $('stage').prepend(renderer.domElement);
  const changed = () => {
      stage.dirty = true;
    },
    hand = orbit($('stage'), view, camera, screen, size, changed);

  // The faces of a part; what is not opaque shows its back first.
  function add_faces(add, part, opacity, extra) {
    if (opacity >= 1) return add(tools.material(part, 1, extra), 0);
    add(tools.material(part, opacity, { ...extra, side: THREE.BackSide }), 3);
    add(tools.material(part, opacity, { ...extra, side: THREE.FrontSide }), 4);
  }
  function add_lines(add, opacity, lines) {
    const mesh = add(line_materials[opacity >= 1 ? 0 : 1], opacity >= 1 ? 0 : 7, lines);
    mesh.frustumCulled = false;
    return mesh;
  }
  // Points the camera, and sets what depends on it for a picture of that size.
  function aim(camera, eye, target, far, width, height) {
    camera.up.copy(view.up);
    camera.position.copy(eye);
    camera.lookAt(target);
    camera.far = far;
    camera.near = Math.max(eye.distanceTo(target) * 1e-3, far * 1e-5);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    for (const m of tools.flats) {
      m.uniforms.screen.value.set(width * window.devicePixelRatio, height * window.devicePixelRatio);
      m.uniforms.scale.value = window.devicePixelRatio * Math.max(0.75, Math.min(screen.width / 1280, screen.height / 800));
    }
  }
  // Calls step() before each picture of the browser, and render() where something has changed and `ready` says so.
  function run({ resized = () => {}, step = () => {}, ready = () => true, render }) {
    function resize() {
      const box = $('stage').getBoundingClientRect();
      screen.width = Math.max(1, Math.round(box.width));
      screen.height = Math.max(1, Math.round(box.height));
      resized();
      renderer.setPixelRatio(window.devicePixelRatio);
      renderer.setSize(screen.width, screen.height);
      changed();
    }
    function draw(now) {
      step(now);
      hand.step(now);
      if (stage.dirty && ready()) {
        stage.dirty = false;
        camera.aspect = screen.width / screen.height;
        render();
      }
      requestAnimationFrame(draw);
    }
    new ResizeObserver(resize).observe($('stage'));
    resize();
    requestAnimationFrame(draw);
  }
  const own = { take, renderer, canvas: renderer.domElement, scene: new THREE.Scene(), camera, screen, view, hand, dirty: true },
    stage = { ...tools, ...own, changed, add_faces, add_lines, aim, run };
  return stage;
}

// A mesh with a material, drawn in that order.
function add_mesh(to, geometry, material, order) {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.renderOrder = order;
  to.add(mesh);
  return mesh;
}

// Triangles of one colour, wherever the camera is.
function add_area(to, places, order, look) {
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.BufferAttribute(places, 3));
  const mesh = add_mesh(to, g, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, transparent: true, ...look }), order);
  mesh.frustumCulled = false;
  return mesh;
}
