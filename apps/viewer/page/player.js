// Bodies, sheets and lines that move in time, and the buttons that play them.

// Each frame's vertices of a sheet are differences from the frame before.
function make_sheet(sheet, head, stage, parts) {
  const values = stage.take(Uint16Array, sheet.places).slice(),
    n = 3 * sheet.vertices,
    surface = head.parts[sheet.part].surface,
    indices = stage.take(Uint32Array, head.surfaces[surface].indices),
    attribute = parts.geometries[surface].attributes.position,
    place = (frame, v, k) => sheet.low[k] + sheet.cell[k] * values[(3 * frame + k) * sheet.vertices + v];
  for (let i = n; i < values.length; ++i) values[i] += values[i - n];
  parts.bodies[sheet.part].traverse(x => {
    x.frustumCulled = false;
  });
  return {
    vertices: frame => Array.from({ length: sheet.vertices }, (_, v) => [0, 1, 2].map(k => place(frame, v, k))),
    bend: frame => {
      for (let i = 0; i < indices.length; ++i) for (let k = 0; k < 3; ++k) attribute.array[3 * i + k] = place(frame, indices[i], k);
      attribute.needsUpdate = true;
    },
  };
}

// Lines that appear with time.
function make_trails(head, stage) {
  const meshes = head.trails_through ? add_flats(stage, head.trails_through, false, through_looks()) : [],
    upto = meshes.length ? stage.take(Uint32Array, head.trails_through.upto) : null;
  return {
    show: frame => {
      for (const mesh of meshes) {
        mesh.geometry.maxInstancedCount = upto[frame];
        mesh.visible = upto[frame] > 0;
      }
    },
    shown: () => (meshes.length && meshes[0].visible ? meshes[0].geometry.maxInstancedCount : 0),
  };
}

// Puts a body where it is in a frame, or a share of the way to the next one.
function place_body(body, places, a, b, share) {
  const gone = x => Math.abs(x) > 1e29;
  body.position.set(places[a], places[a + 1], places[a + 2]);
  body.quaternion.set(places[a + 4], places[a + 5], places[a + 6], places[a + 3]);
  if (share === 0 || gone(places[a]) || gone(places[b])) return;
  body.position.lerp(new THREE.Vector3(places[b], places[b + 1], places[b + 2]), share);
  body.quaternion.slerp(new THREE.Quaternion(places[b + 4], places[b + 5], places[b + 6], places[b + 3]), share);
}

// A mark for every event, darker where there are many; the ticks of the list lie over them.
function draw_density(ticks) {
  const c = $('density'),
    width = (c.width = Math.max(1, Math.round(c.clientWidth * window.devicePixelRatio))),
    columns = new Array(width).fill(0);
  c.height = 1;
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

function show_player(head, player) {
  const { start, seconds, count } = head.frames;
  document.body.classList.add('plays');
  $('player').hidden = false;
  $('scrub').max = count - 1;
  head.hits.forEach((h, i) => {
    if (h.time === undefined) return;
    const tick = document.createElement('i');
    tick.style.left = (100 * (h.time - start)) / seconds / Math.max(1, count - 1) + '%';
    tick.dataset.hit = i;
    $('ticks').appendChild(tick);
  });
  $('scrub').addEventListener('input', e => player.go_to(+e.target.value));
  $('play').addEventListener('click', player.toggle);
  $('back').addEventListener('click', player.back);
  $('on').addEventListener('click', player.on);
}

// Null where nothing moves.
function make_player(head, stage, parts) {
  if (!head.frames) return null;
  const { start, seconds, count, moving, first, shown, ticks: packed_ticks } = head.frames,
    places = stage.take(Float32Array, head.frames.places),
    ticks = stage.take(Uint32Array, packed_ticks),
    bodies = parts.bodies.slice(first, first + moving),
    sheets = (head.sheets || []).map(sheet => make_sheet(sheet, head, stage, parts)),
    trails = make_trails(head, stage),
    at = (i, n) => 7 * (n * moving + i),
    time_of = n => start + n * seconds;
  let frame = 0, // the last one that is not after the time
    time = 0,
    playing = false,
    owed = 0,
    last = null;
  const place = (i, n, share) => place_body(bodies[i], places, at(i, n), at(i, n + 1), share);
  // Between two frames, bodies are on the straight line between their positions. Bodies that an event has stopped are where they are in the next frame.
  function set_time(t, event) {
    const x = Math.max(0, Math.min(count - 1, (t - start) / seconds)),
      near = Math.round(x),
      exact = Math.abs(x - near) < 1e-6;
    frame = exact ? near : Math.floor(x);
    time = exact ? time_of(frame) : t;
    const after = exact ? frame : frame + 1;
    for (let i = 0; i < moving; ++i) place(i, frame, exact ? 0 : x - frame);
    if (event) for (const i of event.settled || []) place(i, after, 0);
    for (const sheet of sheets) sheet.bend(frame);
    trails.show(after);
    $('scrub').value = x;
    $('clock').textContent = time.toFixed(3) + ' s, ' + (exact ? 'frame ' + frame : 'between frames ' + frame + ' and ' + after);
    stage.changed();
  }
  const set_frame = n => set_time(time_of(Math.max(0, Math.min(count - 1, Math.round(n)))));
  function play(yes) {
    playing = yes;
    if (playing && frame === count - 1) set_frame(0);
    owed = 0;
    $('play').textContent = playing ? 'Pause' : 'Play';
  }
  function go_to(n) {
    play(false);
    set_frame(n);
  }
  function step(now) {
    if (playing) owed += ((now - last) / 1000) * +$('speed').value;
    last = now;
    const steps = playing ? Math.floor(owed / seconds) : 0;
    if (steps <= 0) return;
    owed -= steps * seconds;
    if (frame + steps >= count) go_to(count - 1);
    else set_frame(frame + steps);
  }
  const player = {
    set_frame,
    go_to,
    step,
    toggle: () => play(!playing),
    back: () => go_to(frame - 1),
    on: () => go_to(frame + 1),
    show: hit => {
      play(false);
      if (hit.time !== undefined) set_time(hit.time, hit);
      else set_frame(hit.frame);
    },
    draw_density: () => draw_density(ticks),
    state: () => ({ frame, time, playing, ticks: Array.from(ticks) }),
    trail_shown: trails.shown,
    frame_places: n => bodies.map((_, i) => Array.from(places.slice(at(i, n), at(i, n) + 3))),
    sheet_places: (k, n) => sheets[k].vertices(n),
  };
  show_player(head, player);
  set_frame(shown);
  return player;
}
