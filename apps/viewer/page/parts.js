// The parts of the picture, with their edges, solid or of glass; strokes and dots.
function looks_of(stage, part, opacity, geometry, lines) {
  const look = new THREE.Group(),
    add = (m, order, g) => add_mesh(look, g || geometry, m, order);
  if (opacity < 1 && part.shell) {
    add(stage.material(part, opacity, { colorWrite: false, depthWrite: true, transparent: true }), 5);
    add(stage.material(part, opacity, { depthFunc: THREE.LessEqualDepth }), 6);
  } else stage.add_faces(add, part, opacity, {});
  if (part.through) {
    add(stage.material(part, 1, { depthFunc: THREE.LessEqualDepth, transparent: true, depthWrite: false, polygonOffset: part.lit === false }), 9);
    add(stage.material(part, 0.45, { depthFunc: THREE.GreaterDepth }), 10);
  }
  if (lines && part.edges !== false && !part.triangles) stage.add_lines(add, opacity, lines).userData.lines = true;
  return look;
}

function make_parts(head, stage) {
  const geometries = head.surfaces.map(stage.geometry),
    line_geometries = head.surfaces.map(stage.line_geometry),
    opacity_of = part => (part.opacity === undefined ? 1 : part.opacity),
    look_of = (part, opacity) => looks_of(stage, part, opacity, geometries[part.surface], line_geometries[part.surface]);
  let edge_style = 1, // none, borders and creases, all triangles
    glass = false;
  const bodies = head.parts.map(part => {
    const body = new THREE.Group();
    body.add(look_of(part, opacity_of(part)));
    body.position.copy(vector(part.at));
    if (part.turn) body.quaternion.set(part.turn[1], part.turn[2], part.turn[3], part.turn[0]);
    stage.scene.add(body);
    return body;
  });
  function restyle() {
    bodies.forEach((body, i) => {
      const part = head.parts[i],
        mark = part.through && part.lit === false;
      if (glass && body.children.length < 2) body.add(look_of(part, mark ? opacity_of(part) : Math.min(opacity_of(part), 0.3)));
      body.children.forEach((look, k) => {
        look.visible = k === (glass ? 1 : 0);
      });
      body.traverse(x => {
        if (x.userData.lines) x.visible = edge_style === 1;
      });
    });
    for (const m of stage.materials.values()) {
      const part = m.userData.part;
      m.uniforms.edge_width.value = part.edges === false || edge_style === 0 ? 0 : Math.max(1, window.devicePixelRatio);
      m.uniforms.all_edges.value = part.triangles || edge_style === 2 ? 1 : 0;
    }
    $('edges').textContent = ['No edges', 'Edges', 'All triangles'][edge_style];
    $('glass').setAttribute('aria-pressed', String(glass));
    stage.changed();
  }
  restyle();
  return {
    bodies,
    geometries,
    next_edges: () => {
      edge_style = (edge_style + 1) % 3;
      restyle();
    },
    toggle_glass: () => {
      glass = !glass;
      restyle();
    },
  };
}

// One mesh for each look of a list of strokes or dots.
function add_flats(stage, list, dots, looks) {
  const places = stage.take(Float32Array, list.places);
  if (!places.length) return [];
  return looks.map(([opacity, depth, order]) => {
    const mesh = stage.flat_mesh(places, stage.take(Uint8Array, list.colors), stage.flat_material(opacity, depth, { dots }), order + (dots ? 1 : 0));
    stage.scene.add(mesh);
    return mesh;
  });
}
function add_strokes_and_dots(head, stage) {
  for (const [name, dots] of [
    ['strokes', false],
    ['dots', true],
  ]) {
    add_flats(stage, head[name], dots, through_looks().slice(0, 1));
    add_flats(stage, head[name + '_through'], dots, through_looks());
  }
}
