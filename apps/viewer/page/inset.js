// What would be too small in the picture, again from nearby in a corner, until the view itself is near; a click goes there.
function corners_of(low, high) {
  return Array.from({ length: 8 }, (_, i) => new THREE.Vector3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z));
}

// `page` has the view, camera, size, renderer and scene of the picture, aim() for a camera, and fly().
function make_inset(inset, page) {
  const margin = 14, // as in page.css
    camera = new THREE.PerspectiveCamera((inset.fov * 180) / Math.PI, 1, 0.01, 100),
    v3 = a => new THREE.Vector3(...a),
    target = v3(inset.target),
    corners = corners_of(...inset.box.map(v3)),
    words = document.createElement('span');
  words.textContent = inset.text;
  $('inset').append(words);
  $('inset').addEventListener('click', () => page.fly(eye(), target.clone()));

  const eye = () => target.clone().add(page.view.eye.clone().sub(page.view.target).setLength(inset.distance)),
    side = () => Math.round(inset.side * Math.min(page.screen.width, page.screen.height)),
    shown = () => page.view.eye.distanceTo(page.view.target) > 3 * inset.distance;

  // the frame of what is shown, and lines from it to the inset at (x, y)
  function frame(x, y) {
    const seen = corners.map(p => p.clone().project(page.camera)),
      xs = seen.map(p => ((p.x + 1) / 2) * page.screen.width),
      ys = seen.map(p => ((1 - p.y) / 2) * page.screen.height),
      [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)],
      [px, py] = [(left + right) / 2, (top + bottom) / 2],
      half = Math.max(8, (right - left) / 2, (bottom - top) / 2),
      lower = py < y + side() / 2 ? px - half : px + half;
    const rect = { x: px - half, y: py - half, width: 2 * half, height: 2 * half, 'stroke-width': 2 };
    for (const [name, value] of Object.entries(rect)) $('zoomed').querySelector('rect').setAttribute(name, value);
    $('zoomed').querySelector('path').setAttribute('d', `M${px + half} ${py - half}L${x} ${y}M${lower} ${py + half}L${x} ${y + side()}`);
  }
  return {
    // the width that the picture leaves free
    room: () => (shown() ? side() + margin : 0),
    draw: () => {
      for (const id of ['inset', 'zoomed']) $(id).toggleAttribute('hidden', !shown());
      if (!shown()) return;
      const { width, height } = page.screen,
        x = width - side() - margin;
      page.aim(camera, eye(), target, side(), side());
      page.renderer.setScissorTest(true);
      page.renderer.setScissor(x, margin, side(), side());
      page.renderer.setViewport(x, margin, side(), side());
      page.renderer.render(page.scene, camera);
      page.renderer.setScissorTest(false);
      page.renderer.setViewport(0, 0, width, height);
      $('inset').style.width = $('inset').style.height = side() + 'px';
      frame(x, height - side() - margin);
    },
  };
}
