// Mouse, fingers and wheel move a view { eye, target, up }: it turns about its target, and stays upright. `size` is that of the whole picture; `changed` is
// called when it must be drawn again.
function orbit(stage, view, camera, screen, size, changed) {
  let flight = null;
  function stop() {
    flight = null;
    changed();
  }
  function fly(eye, target) {
    flight = { from: { eye: view.eye.clone(), target: view.target.clone() }, to: { eye, target }, since: performance.now() };
    changed();
  }
  function jump(eye, target) {
    view.eye.copy(eye);
    view.target.copy(target);
    stop();
  }
  function turn(dx, dy) {
    const back = view.eye.clone().sub(view.target);
    back.applyAxisAngle(view.up, -dx * 0.006);
    const angle = back.angleTo(view.up),
      wish = Math.min(Math.max(angle - dy * 0.006, 0.03), Math.PI - 0.03);
    back.applyAxisAngle(new THREE.Vector3().crossVectors(view.up, back).normalize(), wish - angle);
    view.eye.copy(view.target).add(back);
    stop();
  }
  function shift(dx, dy) {
    const back = view.eye.clone().sub(view.target),
      right = new THREE.Vector3().crossVectors(view.up, back).normalize(),
      top = new THREE.Vector3().crossVectors(back, right).normalize();
    const f = (2 * back.length() * Math.tan((camera.fov * Math.PI) / 360)) / screen.height;
    const by = right.multiplyScalar(-dx * f).add(top.multiplyScalar(dy * f));
    view.eye.add(by);
    view.target.add(by);
    stop();
  }
  function zoom(factor) {
    const back = view.eye.clone().sub(view.target),
      n = Math.min(Math.max(back.length() * factor, size * 1e-5), size * 20);
    view.eye.copy(view.target).add(back.setLength(n));
    stop();
  }
  follow_fingers(stage, { turn, shift, zoom });
  return {
    fly,
    jump,
    turn,
    zoom,
    resize_to: whole => {
      size = whole;
    },
    flying: () => flight !== null,
    step: now => {
      if (!flight) return;
      const u = Math.min(1, (now - flight.since) / 450),
        s = u * u * (3 - 2 * u);
      view.eye.lerpVectors(flight.from.eye, flight.to.eye, s);
      view.target.lerpVectors(flight.from.target, flight.to.target, s);
      if (u >= 1) flight = null;
      changed();
    },
  };
}

// Mouse, fingers and wheel call turn(), shift() and zoom().
function follow_fingers(stage, { turn, shift, zoom }) {
  const fingers = new Map();
  stage.addEventListener('pointerdown', e => {
    if (e.target.closest('button')) return; // a captured pointer would not click it
    stage.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, { x: e.clientX, y: e.clientY, move: e.button === 2 || e.button === 1 || e.shiftKey });
  });
  stage.addEventListener('pointermove', e => {
    const f = fingers.get(e.pointerId);
    if (!f) return;
    const dx = e.clientX - f.x,
      dy = e.clientY - f.y;
    if (fingers.size === 2) {
      const other = [...fingers.entries()].find(([id]) => id !== e.pointerId)[1];
      const before = Math.hypot(f.x - other.x, f.y - other.y),
        now = Math.hypot(e.clientX - other.x, e.clientY - other.y);
      if (before > 0 && now > 0) zoom(before / now);
      shift(dx / 2, dy / 2);
    } else if (f.move) shift(dx, dy);
    else turn(dx, dy);
    f.x = e.clientX;
    f.y = e.clientY;
  });
  for (const name of ['pointerup', 'pointercancel']) stage.addEventListener(name, e => fingers.delete(e.pointerId));
  stage.addEventListener('contextmenu', e => e.preventDefault());
  stage.addEventListener(
    'wheel',
    e => {
      e.preventDefault();
      zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY * 0.0015))));
    },
    { passive: false },
  );
}
