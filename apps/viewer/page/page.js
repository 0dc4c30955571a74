// The page: words, view, keys and buttons around the picture.
function add_words(head) {
  document.documentElement.style.setProperty('--ink', head.ink);
  document.documentElement.style.setProperty('--paper', head.background);
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
}

function make_labels(head, { camera, screen }) {
  const labels = head.labels.map(l => {
    const s = document.createElement('span');
    s.textContent = l.text;
    $('labels').appendChild(s);
    return { at: vector(l.at), s };
  });
  return {
    place: () => {
      for (const l of labels) {
        const p = l.at.clone().project(camera);
        l.s.style.display = p.z < 1 ? '' : 'none';
        const x = Math.max(0, Math.min(((p.x + 1) / 2) * screen.width + 10, screen.width - l.s.offsetWidth));
        const y = Math.max(0, ((1 - p.y) / 2) * screen.height - l.s.offsetHeight - 4);
        l.s.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      }
    },
  };
}

// The whole picture, with one axis or another upwards.
function make_whole(head, { view, hand }, tan_of_view) {
  let start = { eye: view.eye.clone(), target: view.target.clone() };
  const axes = [
      ['x', [1, 0, 0], [0.5, 0.55, -1]],
      ['y', [0, 1, 0], [0.55, 0.5, 1]],
      ['z', [0, 0, 1], [0.55, -1, 0.5]],
    ],
    up_axis = () => axes.findIndex(([, axis]) => Math.abs(vector(axis).dot(view.up)) > 0.9);
  function name_up() {
    const i = up_axis();
    $('up').textContent = 'Up: ' + (i < 0 ? 'tilted' : axes[i][0]);
  }
  function next_up() {
    const [, axis, direction] = axes[(up_axis() + 1) % 3],
      [low, high] = head.seen.map(vector),
      target = low.add(high).multiplyScalar(0.5),
      far = high.sub(target).length() / Math.sin(Math.atan(tan_of_view()));
    view.up = vector(axis);
    start = { eye: target.clone().add(vector(direction).setLength(far)), target };
    hand.jump(start.eye, start.target);
    name_up();
  }
  name_up();
  return { next_up, fly: () => hand.fly(start.eye.clone(), start.target.clone()) };
}

function add_keys(player, { turn, zoom }, whole, places, parts) {
  const actions = {
    arrowleft: () => turn(20, 0),
    arrowright: () => turn(-20, 0),
    arrowup: () => turn(0, 20),
    arrowdown: () => turn(0, -20),
    '+': () => zoom(0.9),
    '-': () => zoom(1 / 0.9),
    r: whole.fly,
    u: whole.next_up,
    c: places.first,
    e: parts.next_edges,
    g: parts.toggle_glass,
    n: places.next,
    p: places.previous,
  };
  const in_time = player ? { ' ': player.toggle, '.': player.on, ',': player.back } : {};
  window.addEventListener('keydown', e => {
    if (e.target.tagName === 'SELECT' || (e.target.tagName === 'BUTTON' && (e.key === ' ' || e.key === 'Enter'))) return;
    const action = in_time[e.key] || (e.target.id !== 'scrub' && actions[e.key.toLowerCase()]);
    if (action) action();
    if (action && e.key === ' ') e.preventDefault();
  });
  for (const [id, f] of [
    ['whole', whole.fly],
    ['contact', places.first],
    ['up', whole.next_up],
    ['edges', parts.next_edges],
    ['glass', parts.toggle_glass],
  ])
    $(id).addEventListener('click', f);
  $('stage').addEventListener('dblclick', whole.fly);
}

// What a program outside can ask the page.
function make_state(head, { view, camera, hand }, parts, places, player) {
  const state = {
    drawn: 0,
    head,
    view,
    camera,
    bodies: parts.bodies,
    show: places.show,
    ...(player && { set_frame: player.set_frame, frame_places: player.frame_places, sheet_places: player.sheet_places, trail_shown: player.trail_shown }),
  };
  const read = {
    inset: () => !$('inset').hidden,
    up: () => view.up.toArray(),
    marked: places.marked,
    flying: hand.flying,
  };
  for (const name of player ? ['frame', 'time', 'playing', 'ticks'] : []) read[name] = () => player.state()[name];
  for (const [name, get] of Object.entries(read)) Object.defineProperty(state, name, { get });
  return state;
}

async function main() {
  const head = JSON.parse($('head').textContent),
    data = await unpack($('data').textContent),
    take = (type, [at, count]) => new type(data, at, count);
  add_words(head);
  const view = { eye: vector(head.camera.eye), target: vector(head.camera.target), up: vector(head.camera.up).normalize() },
    stage = open_stage(take, { paper: head.background, ink: head.ink, view, size: head.size }),
    { camera, screen } = stage,
    corners = corners_of(vector(head.min), vector(head.max)),
    tan_of_view = () => Math.tan((camera.fov * Math.PI) / 360) * Math.min(1, camera.aspect); // of half the narrower angle
  const parts = make_parts(head, stage);
  add_strokes_and_dots(head, stage);
  const labels = make_labels(head, stage),
    player = make_player(head, stage, parts),
    places = make_places(head, stage, player, tan_of_view);
  add_keys(player, stage.hand, make_whole(head, stage, tan_of_view), places, parts);
  const state = (window.graze = make_state(head, stage, parts, places, player));

  function aim(camera, eye, target, width, height) {
    const far = Math.max(...[target, ...corners].map(p => eye.distanceTo(p)));
    stage.aim(camera, eye, target, far * 1.1 + head.size * 1e-6, width, height);
  }
  const inset = head.inset ? make_inset(head.inset, { ...stage, aim, fly: stage.hand.fly }) : null;
  function render() {
    const room = inset ? inset.room() : 0, // in pixels
      wide = (screen.width - room) / screen.height;
    let tan = Math.tan(head.camera.fov / 2);
    if (head.camera.aspect > wide) tan *= head.camera.aspect / wide;
    camera.fov = (2 * Math.atan(tan) * 180) / Math.PI;
    camera.setViewOffset(screen.width, screen.height, room / 2, 0, screen.width, screen.height);
    aim(camera, view.eye, view.target, screen.width, screen.height);
    stage.renderer.render(stage.scene, camera);
    if (inset) inset.draw();
    labels.place();
    state.drawn += 1;
  }
  stage.run({ render, ...(player && { resized: player.draw_density, step: player.step }) });
}
main().catch(e => {
  trouble(e.message);
  console.error(e);
});
