async function main() {
  const head = JSON.parse($('head').textContent);
  const data = await unpack($('data').textContent);
  const take = (type, [at, count]) => new type(data, at, count);
  const v3 = a => new THREE.Vector3(a[0], a[1], a[2]);
  document.documentElement.style.setProperty('--ink', head.ink);
  document.documentElement.style.setProperty('--paper', head.background);

  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setClearColor(new THREE.Color(head.background));
  $('stage').insertBefore(renderer.domElement, $('labels'));
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  const { geometry, line_geometry, flat_material, material, flat_mesh, flats, materials } = drawing(take, new THREE.Color(head.ink));
  const screen = { width: 1, height: 1 };

  const geometries = head.surfaces.map(geometry),
    line_geometries = head.surfaces.map(line_geometry);

  const line_color = [25 / 255, 28 / 255, 32 / 255, (1.1 * 4) / 255];
  const line_materials = [
    flat_material(0.7, THREE.LessEqualDepth, { nearer: 4e-4, color: line_color }),
    flat_material(0.3, THREE.LessEqualDepth, { nearer: 4e-4, color: line_color }),
  ];
  let edge_style = 1,
    glass = false; // none, borders and creases, all triangles
  function looks_of(part, opacity) {
    const look = new THREE.Group();
    const add = (m, order, g) => {
      const x = new THREE.Mesh(g || geometries[part.surface], m);
      x.renderOrder = order;
      look.add(x);
      return x;
    };
    if (opacity >= 1) add(material(part, 1, {}), 0);
    else if (part.shell) {
      add(material(part, opacity, { colorWrite: false, depthWrite: true, transparent: true }), 5);
      add(material(part, opacity, { depthFunc: THREE.LessEqualDepth }), 6);
    } else {
      add(material(part, opacity, { side: THREE.BackSide }), 3);
      add(material(part, opacity, { side: THREE.FrontSide }), 4);
    }
    if (part.through) {
      add(material(part, 1, { depthFunc: THREE.LessEqualDepth, transparent: true, depthWrite: false, polygonOffset: part.lit === false }), 9);
      add(material(part, 0.45, { depthFunc: THREE.GreaterDepth }), 10);
    }
    if (line_geometries[part.surface] && part.edges !== false && !part.triangles) {
      const lines = add(line_materials[opacity >= 1 ? 0 : 1], opacity >= 1 ? 0 : 7, line_geometries[part.surface]);
      lines.frustumCulled = false;
      lines.userData.lines = true;
    }
    return look;
  }
  const bodies = head.parts.map(part => {
    const body = new THREE.Group();
    body.add(looks_of(part, part.opacity === undefined ? 1 : part.opacity));
    body.position.copy(v3(part.at));
    if (part.turn) body.quaternion.set(part.turn[1], part.turn[2], part.turn[3], part.turn[0]);
    scene.add(body);
    return body;
  });
  function restyle() {
    bodies.forEach((body, i) => {
      const part = head.parts[i],
        own = part.opacity === undefined ? 1 : part.opacity,
        mark = part.through && part.lit === false;
      if (glass && body.children.length < 2) body.add(looks_of(part, mark ? own : Math.min(own, 0.3)));
      body.children.forEach((look, k) => {
        look.visible = k === (glass ? 1 : 0);
      });
      body.traverse(x => {
        if (x.userData.lines) x.visible = edge_style === 1;
      });
    });
    for (const m of materials.values()) {
      const part = m.userData.part;
      m.uniforms.edge_width.value = part.edges === false || edge_style === 0 ? 0 : Math.max(1, window.devicePixelRatio);
      m.uniforms.all_edges.value = part.triangles || edge_style === 2 ? 1 : 0;
    }
    $('edges').textContent = ['No edges', 'Edges', 'All triangles'][edge_style];
    $('glass').setAttribute('aria-pressed', String(glass));
    dirty = true;
  }

  function flat(list, dots, opacity, depthFunc, order) {
    const places = take(Float32Array, list.places);
    if (!places.length) return null;
    const mesh = flat_mesh(places, take(Uint8Array, list.colors), flat_material(opacity, depthFunc, { dots }), order);
    scene.add(mesh);
    return mesh;
  }
  for (const [name, dots] of [
    ['strokes', false],
    ['dots', true],
  ]) {
    flat(head[name], dots, 1, THREE.LessEqualDepth, dots ? 2 : 1);
    flat(head[name + '_through'], dots, 1, THREE.LessEqualDepth, dots ? 2 : 1);
    flat(head[name + '_through'], dots, 0.6, THREE.LessEqualDepth, dots ? 12 : 11);
    flat(head[name + '_through'], dots, 0.45, THREE.GreaterDepth, dots ? 12 : 11);
  }

  // lines that appear with time
  const trails = head.trails_through
    ? [
        flat(head.trails_through, false, 1, THREE.LessEqualDepth, 1),
        flat(head.trails_through, false, 0.6, THREE.LessEqualDepth, 11),
        flat(head.trails_through, false, 0.45, THREE.GreaterDepth, 11),
      ]
    : [];
  const trail_upto = trails.length ? take(Uint32Array, head.trails_through.upto) : null;

  // words
  document.title = head.title || 'Graze';
  $('title').textContent = head.title;
  for (const line of head.caption) {
    const d = document.createElement('div');
    d.textContent = line;
    $('caption').appendChild(d);
  }
  for (const [color, text] of head.legend) {
    const d = document.createElement('div'),
      i = document.createElement('i');
    i.style.background = color;
    d.append(i, text);
    $('legend').appendChild(d);
  }
  const labels = head.labels.map(l => {
    const s = document.createElement('span');
    s.textContent = l.text;
    $('labels').appendChild(s);
    return { at: v3(l.at), s };
  });

  // the view
  let start = { eye: v3(head.camera.eye), target: v3(head.camera.target) };
  const view = { eye: start.eye.clone(), target: start.target.clone(), up: v3(head.camera.up).normalize() };
  let dirty = true;
  const low = v3(head.min),
    high = v3(head.max);
  const hand = orbit($('stage'), view, camera, screen, head.size, () => {
    dirty = true;
  });
  const { fly, turn, zoom } = hand;
  const whole = () => fly(start.eye.clone(), start.target.clone());
  const tan_of_view = () => Math.tan((camera.fov * Math.PI) / 360) * Math.min(1, camera.aspect); // of half the narrower angle
  const axes = [
    ['x', [1, 0, 0], [0.5, 0.55, -1]],
    ['y', [0, 1, 0], [0.55, 0.5, 1]],
    ['z', [0, 0, 1], [0.55, -1, 0.5]],
  ];
  const up_axis = () => axes.findIndex(([, axis]) => Math.abs(v3(axis).dot(view.up)) > 0.9);
  function name_up() {
    const i = up_axis();
    $('up').textContent = 'Up: ' + (i < 0 ? 'tilted' : axes[i][0]);
  }
  function next_up() {
    const [, axis, direction] = axes[(up_axis() + 1) % 3],
      target = v3(head.seen[0]).add(v3(head.seen[1])).multiplyScalar(0.5);
    view.up = v3(axis);
    const radius = v3(head.seen[1]).sub(target).length();
    start = {
      eye: target.clone().add(
        v3(direction)
          .normalize()
          .multiplyScalar(radius / Math.sin(Math.atan(tan_of_view()))),
      ),
      target,
    };
    hand.jump(start.eye, start.target);
    name_up();
  }
  $('stage').addEventListener('dblclick', whole);

  // places, each with the highlight that marks it when selected
  const places = [];
  let chosen = -1,
    marks = null;
  const chosen_color = new THREE.Color(getComputedStyle(document.documentElement).getPropertyValue('--chosen').trim()),
    rgb = [chosen_color.r, chosen_color.g, chosen_color.b];
  function mark(h) {
    const group = new THREE.Group();
    const lines = (places, dots, width) => {
      if (!places.length) return;
      for (const [color, wider, order] of [
        [[1, 1, 1], 5, 20],
        [rgb, 1, 21],
      ])
        // white around it
        group.add(
          flat_mesh(
            places,
            null,
            flat_material(0.999, THREE.AlwaysDepth, { dots, wider, color: [...color, (width * 4) / 255], extra: { depthTest: false } }),
            order,
          ),
        );
    };
    const part_of = (list, [from, n], each) => take(Float32Array, list.places).slice(each * from, each * (from + n));
    if (h.strokes) lines(part_of(head.strokes_through, h.strokes, 6), false, 4);
    if (h.area) {
      const g = new THREE.BufferGeometry();
      g.setAttribute(
        'position',
        new THREE.BufferAttribute(
          take(Float32Array, head.surfaces[head.parts[head.area_part].surface].positions).slice(9 * h.area[0], 9 * (h.area[0] + h.area[1])),
          3,
        ),
      );
      const mesh = new THREE.Mesh(
        g,
        new THREE.MeshBasicMaterial({ color: chosen_color, side: THREE.DoubleSide, transparent: true, opacity: 0.85, depthTest: false }),
      );
      mesh.renderOrder = 19;
      mesh.frustumCulled = false;
      group.add(mesh);
    }
    if (h.dots) lines(part_of(head.dots_through, h.dots, 6), true, 14);
    if (!h.strokes && !h.area && !h.dots) lines(new Float32Array([...h.at, ...h.at]), true, 14);
    return group;
  }
  function show(i) {
    const h = head.hits[i],
      at = v3(h.at),
      back = view.eye.clone().sub(view.target).normalize();
    let target = at,
      far = Math.max(h.size * 8, head.size * 0.1);
    if (h.box) {
      // the whole box, from any direction
      const low = v3(h.box[0]),
        high = v3(h.box[1]),
        radius = high.distanceTo(low) / 2;
      target = low.add(high).multiplyScalar(0.5);
      far = radius > 0 ? Math.max((radius * 1.1) / Math.sin(Math.atan(tan_of_view())), head.size * 1e-3) : head.size * 0.1;
    }
    fly(target.clone().add(back.multiplyScalar(far)), target);
    if (frames) {
      playing = false;
      play(false);
      if (h.time !== undefined) set_time(h.time, h);
      else set_frame(h.frame);
    }
    if (marks) scene.remove(marks);
    for (const x of marks ? marks.children : []) {
      x.geometry.dispose();
      flats.splice(0, flats.length, ...flats.filter(m => m !== x.material));
      x.material.dispose();
    }
    scene.add((marks = mark(h)));
    if (chosen >= 0) places[chosen].setAttribute('aria-current', 'false');
    places[i].setAttribute('aria-current', 'true');
    places[i].scrollIntoView({ block: 'nearest' });
    for (const tick of $('ticks').children) tick.classList.toggle('chosen', +tick.dataset.hit === i);
    chosen = i;
  }
  head.hits.forEach((h, i) => {
    const li = document.createElement('li'),
      b = document.createElement('button');
    b.textContent = h.text;
    if (h.detail) {
      const d = document.createElement('small');
      d.textContent = h.detail;
      b.appendChild(d);
    }
    b.addEventListener('click', () => show(i));
    li.appendChild(b);
    $('hits').appendChild(li);
    places.push(b);
  });
  if (!head.hits.length) (($('side').hidden = true), ($('side').style.display = 'none'));
  $('contact').hidden = !head.hits.length || Boolean(head.frames);
  if (head.hits.length && head.hits[0].text.startsWith('nearest')) $('contact').textContent = 'Nearest points';
  $('fold').textContent = head.hits_title;
  function fold(hide) {
    $('hits').hidden = hide;
    $('side').classList.toggle('folded', hide);
    $('fold').setAttribute('aria-expanded', String(!hide));
  }
  $('fold').addEventListener('click', () => fold(!$('hits').hidden));
  fold(window.innerWidth < 900);

  // time
  const frames = head.frames ? { ...head.frames, places: take(Float32Array, head.frames.places) } : null;
  // sheets: each frame's vertices are differences from the frame before
  const sheets = ((frames && head.sheets) || []).map(sheet => {
    const values = take(Uint16Array, sheet.places).slice(),
      n = 3 * sheet.vertices,
      surface = head.parts[sheet.part].surface;
    for (let i = n; i < values.length; ++i) values[i] += values[i - n];
    bodies[sheet.part].traverse(x => {
      x.frustumCulled = false;
    });
    return { ...sheet, values, indices: take(Uint32Array, head.surfaces[surface].indices), attribute: geometries[surface].attributes.position };
  });
  function sheet_vertex(sheet, n, v) {
    const at = n * 3 * sheet.vertices;
    return [0, 1, 2].map(k => sheet.low[k] + sheet.cell[k] * sheet.values[at + k * sheet.vertices + v]);
  }
  function bend(sheet, n) {
    const to = sheet.attribute.array,
      at = n * 3 * sheet.vertices;
    for (let i = 0; i < sheet.indices.length; ++i)
      for (let k = 0; k < 3; ++k) to[3 * i + k] = sheet.low[k] + sheet.cell[k] * sheet.values[at + k * sheet.vertices + sheet.indices[i]];
    sheet.attribute.needsUpdate = true;
  }
  let frame = 0,
    time = 0,
    playing = false,
    owed = 0,
    last = 0; // frame: the last one that is not after the time
  const time_of = n => frames.start + n * frames.seconds;
  const gone = x => Math.abs(x) > 1e29;
  function place(i, n, share) {
    const a = 7 * (n * frames.moving + i),
      b = a + 7 * frames.moving,
      f = frames.places,
      body = bodies[frames.first + i];
    body.position.set(f[a], f[a + 1], f[a + 2]);
    body.quaternion.set(f[a + 4], f[a + 5], f[a + 6], f[a + 3]);
    if (share === 0 || gone(f[a]) || gone(f[b])) return;
    body.position.lerp(new THREE.Vector3(f[b], f[b + 1], f[b + 2]), share);
    body.quaternion.slerp(new THREE.Quaternion(f[b + 4], f[b + 5], f[b + 6], f[b + 3]), share);
  }
  // Between two frames, bodies are on the straight line between their positions. Bodies that an event has stopped are where they are in the next frame.
  function set_time(t, event) {
    const x = Math.max(0, Math.min(frames.count - 1, (t - frames.start) / frames.seconds)),
      near = Math.round(x),
      exact = Math.abs(x - near) < 1e-6;
    frame = exact ? near : Math.floor(x);
    time = exact ? time_of(frame) : t;
    const share = exact ? 0 : x - frame,
      after = exact ? frame : frame + 1;
    for (let i = 0; i < frames.moving; ++i) place(i, frame, share);
    if (event) for (const i of event.settled || []) place(i, after, 0);
    for (const sheet of sheets) bend(sheet, frame);
    for (const t of trails) {
      t.geometry.maxInstancedCount = trail_upto[after];
      t.visible = trail_upto[after] > 0;
    }
    $('scrub').value = x;
    $('clock').textContent = time.toFixed(3) + ' s, ' + (exact ? 'frame ' + frame : 'between frames ' + frame + ' and ' + after);
    dirty = true;
  }
  function set_frame(n) {
    set_time(time_of(Math.max(0, Math.min(frames.count - 1, Math.round(n)))));
  }
  function play(yes) {
    playing = yes;
    if (playing && frame === frames.count - 1) set_frame(0);
    owed = 0;
    $('play').textContent = playing ? 'Pause' : 'Play';
  }
  if (frames) {
    document.body.classList.add('plays');
    $('player').hidden = false;
    $('scrub').max = frames.count - 1;
    head.hits.forEach((h, i) => {
      if (h.time === undefined) return;
      const tick = document.createElement('i');
      tick.style.left = (100 * (h.time - frames.start)) / frames.seconds / Math.max(1, frames.count - 1) + '%';
      tick.dataset.hit = i;
      $('ticks').appendChild(tick);
    });
    $('scrub').addEventListener('input', e => {
      play(false);
      set_frame(+e.target.value);
    });
    $('play').addEventListener('click', () => play(!playing));
    $('back').addEventListener('click', () => {
      play(false);
      set_frame(frame - 1);
    });
    $('on').addEventListener('click', () => {
      play(false);
      set_frame(frame + 1);
    });
    set_frame(frames.shown);
  }
  // A mark for every event, darker where there are many; the ticks of the list lie over them.
  function draw_density() {
    const c = $('density'),
      ticks = take(Uint32Array, frames.ticks),
      width = (c.width = Math.max(1, Math.round(c.clientWidth * window.devicePixelRatio)));
    c.height = 1;
    const columns = new Array(width).fill(0);
    ticks.forEach((n, i) => {
      columns[Math.min(width - 1, Math.floor(((i + 0.5) / ticks.length) * width))] += n;
    });
    const most = Math.max(...columns),
      pen = c.getContext('2d');
    columns.forEach((n, x) => {
      if (!n) return;
      pen.fillStyle = `rgba(213, 94, 0, ${0.4 + 0.6 * (n / most)})`;
      pen.fillRect(x, 0, 1, 1);
    });
  }
  window.addEventListener('keydown', e => {
    if (e.target.tagName === 'SELECT' || (e.target.tagName === 'BUTTON' && (e.key === ' ' || e.key === 'Enter'))) return;
    const k = e.key;
    if (k === ' ' && frames) {
      play(!playing);
      e.preventDefault();
    } else if (k === '.' && frames) {
      play(false);
      set_frame(frame + 1);
    } else if (k === ',' && frames) {
      play(false);
      set_frame(frame - 1);
    } else if (e.target.id === 'scrub') return;
    else if (k === 'ArrowLeft') turn(20, 0);
    else if (k === 'ArrowRight') turn(-20, 0);
    else if (k === 'ArrowUp') turn(0, 20);
    else if (k === 'ArrowDown') turn(0, -20);
    else if (k === '+') zoom(0.9);
    else if (k === '-') zoom(1 / 0.9);
    else if (k === 'r' || k === 'R') whole();
    else if (k === 'u' || k === 'U') next_up();
    else if ((k === 'c' || k === 'C') && !$('contact').hidden) show(0);
    else if (k === 'e' || k === 'E') next_edges();
    else if (k === 'g' || k === 'G') toggle_glass();
    else if ((k === 'n' || k === 'N') && places.length) show((chosen + 1) % places.length);
    else if ((k === 'p' || k === 'P') && places.length) show(Math.max(chosen, 0) === 0 ? places.length - 1 : chosen - 1);
  });
  const next_edges = () => {
      edge_style = (edge_style + 1) % 3;
      restyle();
    },
    toggle_glass = () => {
      glass = !glass;
      restyle();
    };
  for (const [id, f] of [
    ['whole', whole],
    ['contact', () => show(0)],
    ['up', next_up],
    ['edges', next_edges],
    ['glass', toggle_glass],
  ])
    $(id).addEventListener('click', f);
  restyle();
  name_up();

  function resize() {
    const box = $('stage').getBoundingClientRect();
    screen.width = Math.max(1, Math.round(box.width));
    screen.height = Math.max(1, Math.round(box.height));
    if (frames) draw_density();
    renderer.setPixelRatio(window.devicePixelRatio);
    renderer.setSize(screen.width, screen.height);
    dirty = true;
  }
  new ResizeObserver(resize).observe($('stage'));
  resize();

  // Points the camera, and sets what depends on it for a picture of that size.
  function aim(camera, eye, target, width, height) {
    camera.up.copy(view.up);
    camera.position.copy(eye);
    camera.lookAt(target);
    const reach = eye.distanceTo(target);
    let far = reach;
    for (const corner of corners_of(low, high)) far = Math.max(far, eye.distanceTo(corner));
    camera.far = far * 1.1 + head.size * 1e-6;
    camera.near = Math.max(reach * 1e-3, camera.far * 1e-5);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    for (const m of flats) {
      m.uniforms.screen.value.set(width * window.devicePixelRatio, height * window.devicePixelRatio);
      m.uniforms.scale.value = window.devicePixelRatio * Math.max(0.75, Math.min(screen.width / 1280, screen.height / 800));
    }
  }
  const inset = head.inset ? make_inset(head.inset, { view, camera, screen, renderer, scene, aim, fly }) : null;

  function draw(now) {
    if (frames && playing) {
      owed += ((now - last) / 1000) * +$('speed').value;
      const steps = Math.floor(owed / frames.seconds);
      if (steps > 0) {
        owed -= steps * frames.seconds;
        if (frame + steps >= frames.count) {
          set_frame(frames.count - 1);
          play(false);
        } else set_frame(frame + steps);
      }
    }
    last = now;
    hand.step(now);
    if (dirty) {
      dirty = false;
      camera.aspect = screen.width / screen.height;
      const room = inset ? inset.room() : 0, // in pixels
        wide = (screen.width - room) / screen.height;
      let tan = Math.tan(head.camera.fov / 2);
      if (head.camera.aspect > wide) tan *= head.camera.aspect / wide;
      camera.fov = (2 * Math.atan(tan) * 180) / Math.PI;
      camera.setViewOffset(screen.width, screen.height, room / 2, 0, screen.width, screen.height);
      aim(camera, view.eye, view.target, screen.width, screen.height);
      renderer.render(scene, camera);
      if (inset) inset.draw();
      for (const l of labels) {
        const p = l.at.clone().project(camera);
        l.s.style.display = p.z < 1 ? '' : 'none';
        const x = Math.max(0, Math.min(((p.x + 1) / 2) * screen.width + 10, screen.width - l.s.offsetWidth));
        const y = Math.max(0, ((1 - p.y) / 2) * screen.height - l.s.offsetHeight - 4);
        l.s.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      }
      state.drawn += 1;
    }
    requestAnimationFrame(draw);
  }
  const state = {
    drawn: 0,
    get inset() {
      return !$('inset').hidden;
    },
    head,
    view,
    bodies,
    camera,
    show,
    get up() {
      return view.up.toArray();
    },
    get ticks() {
      return Array.from(take(Uint32Array, frames.ticks));
    },
    get time() {
      return time;
    },
    get marked() {
      return marks ? marks.children.length : 0;
    },
    set_frame: n => set_frame(n),
    frame_places: n =>
      bodies
        .slice(frames.first, frames.first + frames.moving)
        .map((_, i) => Array.from(frames.places.slice(7 * (n * frames.moving + i), 7 * (n * frames.moving + i) + 3))),
    sheet_places: (k, n) => Array.from({ length: sheets[k].vertices }, (_, v) => sheet_vertex(sheets[k], n, v)),
    trail_shown: () => (trails.length && trails[0].visible ? trails[0].geometry.maxInstancedCount : 0),
    get frame() {
      return frame;
    },
    get flying() {
      return hand.flying();
    },
    get playing() {
      return playing;
    },
  };
  window.graze = state;
  requestAnimationFrame(now => {
    last = now;
    draw(now);
  });
}
main().catch(e => {
  trouble(e.message);
  console.error(e);
});
