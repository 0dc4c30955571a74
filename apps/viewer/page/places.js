// The list of places: a click moves the camera there, and highlights what is there.
function mark_of(h, head, stage, color) {
  const group = new THREE.Group(),
    lines = (places, dots, width) => {
      if (!places.length) return;
      for (const [rgb, wider, order] of [
        [[1, 1, 1], 5, 20], // white around it
        [color.toArray(), 1, 21],
      ]) {
        const look = { dots, wider, color: [...rgb, (width * 4) / 255], extra: { depthTest: false } };
        group.add(stage.flat_mesh(places, null, stage.flat_material(0.999, THREE.AlwaysDepth, look), order));
      }
    },
    part_of = (list, [from, n], each) => stage.take(Float32Array, list).slice(each * from, each * (from + n));
  if (h.strokes) lines(part_of(head.strokes_through.places, h.strokes, 6), false, 4);
  if (h.area) {
    const triangles = part_of(head.surfaces[head.parts[head.area_part].surface].positions, h.area, 9);
    add_area(group, triangles, 19, { color, opacity: 0.85, depthTest: false });
  }
  if (h.dots) lines(part_of(head.dots_through.places, h.dots, 6), true, 14);
  if (!h.strokes && !h.area && !h.dots) lines(new Float32Array([...h.at, ...h.at]), true, 14);
  return group;
}

// From where to see a place: where to look, and from how far.
function sight_of(h, head, tan_of_view) {
  if (!h.box) return [vector(h.at), Math.max(h.size * 8, head.size * 0.1)];
  const [low, high] = h.box.map(vector), // the whole box, from any direction
    radius = high.distanceTo(low) / 2;
  return [
    low.clone().add(high).multiplyScalar(0.5),
    radius > 0 ? Math.max((radius * 1.1) / Math.sin(Math.atan(tan_of_view())), head.size * 1e-3) : head.size * 0.1,
  ];
}

function list_places(head, show) {
  const places = head.hits.map((h, i) => {
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
    return b;
  });
  if (!places.length) (($('side').hidden = true), ($('side').style.display = 'none'));
  $('contact').hidden = !places.length || Boolean(head.frames);
  if (places.length && head.hits[0].text.startsWith('nearest')) $('contact').textContent = 'Nearest points';
  $('fold').textContent = head.hits_title;
  function fold(hide) {
    $('hits').hidden = hide;
    $('side').classList.toggle('folded', hide);
    $('fold').setAttribute('aria-expanded', String(!hide));
  }
  $('fold').addEventListener('click', () => fold(!$('hits').hidden));
  fold(window.innerWidth < 900);
  return places;
}

function make_places(head, stage, player, tan_of_view) {
  const { view, scene, flats } = stage,
    color = new THREE.Color(getComputedStyle(document.documentElement).getPropertyValue('--chosen').trim());
  let chosen = -1,
    marks = null;
  function show(i) {
    const h = head.hits[i],
      back = view.eye.clone().sub(view.target).normalize(),
      [target, far] = sight_of(h, head, tan_of_view);
    stage.hand.fly(target.clone().add(back.multiplyScalar(far)), target);
    if (player) player.show(h);
    if (marks) scene.remove(marks);
    for (const x of marks ? marks.children : []) {
      x.geometry.dispose();
      flats.splice(0, flats.length, ...flats.filter(m => m !== x.material));
      x.material.dispose();
    }
    scene.add((marks = mark_of(h, head, stage, color)));
    if (chosen >= 0) places[chosen].setAttribute('aria-current', 'false');
    places[i].setAttribute('aria-current', 'true');
    places[i].scrollIntoView({ block: 'nearest' });
    for (const tick of $('ticks').children) tick.classList.toggle('chosen', +tick.dataset.hit === i);
    chosen = i;
  }
  const places = list_places(head, show);
  return {
    show,
    first: () => {
      if (!$('contact').hidden) show(0);
    },
    next: () => places.length && show((chosen + 1) % places.length),
    previous: () => places.length && show(Math.max(chosen, 0) === 0 ? places.length - 1 : chosen - 1),
    marked: () => (marks ? marks.children.length : 0),
  };
}
