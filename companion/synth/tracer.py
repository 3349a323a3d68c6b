"""Path-trace moments that `companion.synth.traced` has written, with Blender's Cycles.

    python tracer.py FOLDER

Runs in a Python that has Blender as a module (`bpy`, from the package index) and knows nothing of the rest of
the program. Writes for every moment the part of the picture that differs from the one before, as
`traced/NUMBER_LEFT_TOP.png`; what is there already is kept, so an interrupted run goes on. Table top, lamps,
gloss, skin and sleeves are drawn by lot from the seed. Nothing here is shared with the pictures that the
networks were trained on: that is what it is for.

Blender's x is the table's, its y the table's turned round, its z the height; a unit is ten centimetres.
"""

from __future__ import annotations

import colorsys
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy  # only then are there the others

# isort: split
import bmesh
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

Points = NDArray[np.float64]
Moment = Mapping[str, Any]

_UNIT = 0.01
"""Blender's units a millimetre."""
_SAMPLES = 6
"""Paths a pixel; what noise they leave is taken out by Cycles' denoiser."""
_WHOLE_AFTER = 40
"""After so many parts a whole picture is traced again, since soft shadows reach farther than a part does."""
_MARGIN_PX = 36
_SMALLEST_PX = 16
_TOPS = ("wood", "planks", "check", "felt", "cloth")
_CORNER = 0.055
"""Radius of a card's corners, share of its width."""
_BENT_MM = 0.25
_FINGERS = ((-1.7, 82.0), (-0.55, 90.0), (0.55, 84.0), (1.7, 68.0))
"""Of each finger: where across the hand, in thirds of its width, and its length in millimetres."""


def main(folder: Path) -> None:
    """Trace all moments of a folder."""
    told = json.loads((folder / "moments.json").read_text(encoding="utf-8"))
    out = folder / "traced"
    out.mkdir(exist_ok=True)
    there = {int(path.name.split("_")[0]) for path in out.glob("*_*.png")}
    studio = _Studio(folder, told)
    before: Mapping[str, Points] | None = None
    for number, moment in enumerate(told["moments"]):
        boxes = studio.boxes(moment)
        if number not in there:
            whole = before is None or number % _WHOLE_AFTER == 0
            part = studio.whole if whole or before is None else studio.changed(before, boxes)
            studio.arrange(moment)
            studio.expose(part, out / f"{number:05d}_{part[0]}_{part[1]}.png", seed=number)
            print(f"tracer: {number + 1} of {len(told['moments'])}", flush=True)
        before = boxes


class _Studio:
    """A table under lamps, a camera above it, cards and hands that are laid anew for each moment."""

    def __init__(self, folder: Path, told: Mapping[str, Any]) -> None:
        self.folder = folder
        self.rng = np.random.default_rng([int(told["seed"]), 0xB1E4D])
        self.size: tuple[int, int] = tuple(told["size"])
        self.projection = np.array(told["projection"], np.float64)
        self.whole = (0, 0, *self.size)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self._render_settings()
        self._camera(told["camera"])
        self._top()
        self._lamps()
        self.gloss = float(self.rng.uniform(0.25, 0.55))
        self.paper = _material("paper", (0.8, 0.8, 0.76, 1.0), 0.6)[0]
        tone = _colour(0.055, self.rng.uniform(0.35, 0.55), self.rng.uniform(0.25, 0.7))
        self.skin = _material("skin", tone, 0.5)[0]
        self.sleeves = [
            _material(
                f"sleeve{player}",
                _colour(self.rng.random(), self.rng.uniform(0, 0.7), self.rng.uniform(0.03, 0.5)),
                0.95,
            )[0]
            for player in range(2)
        ]
        self.faces: dict[str, bpy.types.Material] = {}
        self.meshes: dict[tuple[object, ...], bpy.types.Mesh] = {}
        self.cards: list[bpy.types.Object] = []
        self.hands: list[bpy.types.Object] = []

    def _render_settings(self) -> None:
        scene = self.scene
        scene.render.engine = "CYCLES"
        cycles = scene.cycles
        cycles.device, cycles.samples, cycles.use_denoising = "CPU", _SAMPLES, True
        cycles.denoiser = "OPENIMAGEDENOISE"
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 2
        cycles.caustics_reflective = cycles.caustics_refractive = False
        scene.render.use_persistent_data = True
        scene.render.resolution_x, scene.render.resolution_y = self.size
        scene.view_settings.view_transform = str(self.rng.choice(["Standard", "AgX"]))
        scene.render.image_settings.file_format = "PNG"
        scene.render.image_settings.color_mode = "RGB"

    def _camera(self, told: Mapping[str, Any]) -> None:
        """The film's own camera; some are out of focus off the middle."""
        # its axes are right, up, and back; the table's y points the other way than Blender's
        flip = np.diag([1.0, -1.0, 1.0])
        turn = np.diag([1.0, -1.0, -1.0]) @ np.array(told["rotation"]) @ flip
        eye = np.array(told["eye_mm"])
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = turn.T, flip @ eye * _UNIT
        lens = bpy.data.cameras.new("camera")
        camera = self._put("camera", lens)
        camera.matrix_world = Matrix(pose.tolist())
        lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
        lens.lens = 36.0 * told["focal_px"] / self.size[0]
        lens.clip_start, lens.clip_end = 0.1, 1000.0
        lens.dof.use_dof = bool(self.rng.random() < 0.6)
        lens.dof.focus_distance = float(np.linalg.norm(eye)) * _UNIT * float(self.rng.uniform(0.96, 1.04))
        lens.dof.aperture_fstop = float(self.rng.choice([40.0, 80.0, 120.0]))
        self.scene.camera = camera

    def _put(self, name: str, data: bpy.types.ID) -> bpy.types.Object:
        made = bpy.data.objects.new(name, data)
        self.scene.collection.objects.link(made)
        return made

    def _top(self) -> None:
        bpy.ops.mesh.primitive_plane_add(size=60)
        bpy.context.object.data.materials.append(_table_top(str(self.rng.choice(_TOPS)), self.rng))

    def _lamps(self) -> None:
        rng = self.rng
        sky = bpy.data.worlds.new("sky")
        self.scene.world = sky
        sky.use_nodes = True
        light = sky.node_tree.nodes["Background"].inputs
        light[0].default_value, light[1].default_value = (
            _colour(0.58, 0.15, 1.0),
            float(rng.uniform(0.15, 0.5)),
        )
        for _ in range(int(rng.integers(1, 3))):
            lamp = bpy.data.lights.new("lamp", "AREA")
            lamp.energy, lamp.size = float(rng.uniform(500, 1100)), float(rng.uniform(1, 5))
            lamp.color = (1.0, 0.82, 0.6) if rng.random() < 0.6 else (0.95, 0.97, 1.0)
            hung = self._put("lamp", lamp)
            hung.location = _at(rng.uniform([-600, -600, 700], [600, 500, 1100]))
            hung.rotation_euler = (-hung.location).to_track_quat("-Z", "Y").to_euler()

    def boxes(self, moment: Moment) -> dict[str, Points]:
        """Points of the picture, (N, 2) pixels, around every card and hand, by all that is told of it."""
        return {
            **{json.dumps(card, sort_keys=True): self._seen(_card_box(card)) for card in moment["cards"]},
            **{json.dumps(hand, sort_keys=True): self._seen(_Arm(hand).box()) for hand in moment["hands"]},
        }

    def _seen(self, points_mm: Points) -> Points:
        flat = np.hstack([points_mm, np.ones((len(points_mm), 1))]) @ self.projection.T
        return np.asarray(flat[:, :2] / np.maximum(flat[:, 2:], 1e-6))

    def changed(self, before: Mapping[str, Points], after: Mapping[str, Points]) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of what is to be traced anew, pixels."""
        moved = [box for key, box in after.items() if key not in before]
        moved += [box for key, box in before.items() if key not in after]
        points = np.concatenate(moved) if moved else np.zeros((1, 2))
        left, top = np.floor(points.min(axis=0) - _MARGIN_PX).astype(int)
        right, bottom = np.ceil(points.max(axis=0) + _MARGIN_PX).astype(int)
        width, height = self.size
        left, top = (int(np.clip(at, 0, side - _SMALLEST_PX)) for at, side in ((left, width), (top, height)))
        return (
            left,
            top,
            int(np.clip(right, left + _SMALLEST_PX, width)),
            int(np.clip(bottom, top + _SMALLEST_PX, height)),
        )

    def arrange(self, moment: Moment) -> None:
        """Lay the cards and hands of a moment."""
        while len(self.cards) < len(moment["cards"]):
            self.cards.append(self._put("card", bpy.data.meshes.new("none")))
        for lying in self.cards:
            lying.hide_render = True
        for lying, card in zip(self.cards, moment["cards"], strict=False):
            lying.hide_render = False
            lying.data = self._card(card)
            tip = math.acos(min(1.0, card["width"]))
            height = card["z"] + math.sin(tip) * card["size_mm"][0] / 2 + 0.05
            lying.matrix_world = (
                Matrix.Translation(_at((card["x"], card["y"], height)))
                @ Matrix.Rotation(-card["angle"], 4, "Z")
                @ Matrix.Rotation(tip, 4, "Y")
            )
        for gone in self.hands:
            data = gone.data
            bpy.data.objects.remove(gone)
            (bpy.data.metaballs if isinstance(data, bpy.types.MetaBall) else bpy.data.meshes).remove(data)
        self.hands = []
        for hand in moment["hands"]:
            arm = _Arm(hand)
            self.hands.append(
                self._put(f"hand{len(self.hands)}", arm.flesh(f"hand{len(self.hands)}", self.skin))
            )
            sleeve, begin, end = arm.sleeve(self.sleeves[hand["player"]])
            worn = self._put("sleeve", sleeve)
            worn.rotation_mode = "QUATERNION"
            worn.rotation_quaternion = (end - begin).to_track_quat("Z", "Y")
            worn.location = (begin + end) / 2
            self.hands.append(worn)

    def _card(self, card: Mapping[str, Any]) -> bpy.types.Mesh:
        """The mesh of a card or packet; single cards are bent a little, each in its way."""
        lot = np.random.default_rng(sum(ord(letter) * 31**at for at, letter in enumerate(card["name"])))
        bent = 0.0 if card["count"] > 1 else round(float(np.clip(lot.normal(0, 0.2), -_BENT_MM, _BENT_MM)), 2)
        key = (*card["size_mm"], card["thick_mm"], card["picture"], bent)
        if key not in self.meshes:
            sides = self._face(card["picture"]), self.paper
            self.meshes[key] = _slab(tuple(card["size_mm"]), card["thick_mm"], bent, *sides)
        return self.meshes[key]

    def _face(self, picture: str) -> bpy.types.Material:
        if picture not in self.faces:
            made, nodes, shader = _material(picture, (1.0, 1.0, 1.0, 1.0), self.gloss)
            image = nodes.nodes.new("ShaderNodeTexImage")
            image.image = bpy.data.images.load(str((self.folder / "faces" / picture).resolve()))
            nodes.links.new(image.outputs["Color"], shader.inputs["Base Color"])
            shader.inputs["Specular IOR Level"].default_value = 0.3
            self.faces[picture] = made
        return self.faces[picture]

    def expose(self, part: tuple[int, int, int, int], path: Path, *, seed: int) -> None:
        """Trace a part of the picture into a file."""
        render, (left, top, right, bottom), (width, height) = self.scene.render, part, self.size
        render.use_border = render.use_crop_to_border = part != self.whole
        render.border_min_x, render.border_max_x = left / width, right / width
        render.border_min_y, render.border_max_y = 1 - bottom / height, 1 - top / height
        self.scene.cycles.seed = seed
        half = path.with_name("half.png")
        render.filepath = str(half.resolve())
        bpy.ops.render.render(write_still=True)
        half.replace(path)


class _Arm:
    """A hand with its arm: along the way from the fingertips to the elbow."""

    def __init__(self, hand: Mapping[str, Any]) -> None:
        self.tip = np.array([hand["x"], hand["y"], 0.0])
        way = np.array([*hand["seat_mm"], 0.0]) - self.tip
        length = float(np.linalg.norm(way))
        self.reach = max(length, 420.0) + 220.0
        self.way = way / max(1.0, length)
        self.side = np.array([-self.way[1], self.way[0], 0.0]) * (-1 if hand["left"] else 1)
        self.height = hand["z"] + 8.0
        self.pinches = hand["grip"] == "pinch"

    def _point(self, along: float, across: float, up: float = 0.0) -> Points:
        return np.asarray(
            self.tip + self.way * along + self.side * across + np.array([0.0, 0.0, self.height + up])
        )

    def box(self) -> Points:
        """Points around all of it, (N, 3) mm."""
        return np.array(
            [
                self.tip + self.way * along + self.side * across + np.array([0.0, 0.0, up])
                for along in (-30.0, 120.0, self.reach)
                for across in (-85.0, 85.0)
                for up in (0.0, 100.0)
            ]
        )

    def flesh(self, name: str, skin: bpy.types.Material) -> bpy.types.MetaBall:
        """The hand as one smooth body."""
        body = bpy.data.metaballs.new(name)
        body.resolution = body.render_resolution = 0.05
        body.threshold = 0.6
        for number, (across, long_mm) in enumerate(_FINGERS):
            begins = 90.0 - long_mm
            drop = (2.0 if number == 3 else -1.0) if self.pinches else 0.0
            tip = self._point(begins - 4, across * 12, drop)
            middle, knuckle = self._point(38, across * 13, 20), self._point(82, across * 14, 24)
            _limb(body, tip, middle, 6.6, 8.0, 6)
            _limb(body, middle, knuckle, 8.0, 10.0, 5)
        joint = self._point(70, -34, 16)
        _limb(body, self._point(22, -34, 12 if not self.pinches else 3), joint, 8.0, 9.0, 6)
        _limb(body, joint, self._point(112, -16, 22), 9.0, 13.0, 5)
        for along, half in ((88, 19), (104, 20), (122, 19), (140, 15)):
            _limb(body, self._point(along, -half, 24), self._point(along, half, 24), 14.5, 14.5, 4)
        _limb(body, self._point(140, 0, 27), self._point(200, 0, 34), 20.0, 21.0, 8)
        body.materials.append(skin)
        return body

    def sleeve(self, cloth: bpy.types.Material) -> tuple[bpy.types.Mesh, Vector, Vector]:
        """The sleeve, and where it begins and ends."""
        begin = _at(self._point(178, 0, 34))
        end = _at(self._point(self.reach, 0, 70))
        made = bmesh.new()
        bmesh.ops.create_cone(
            made,
            cap_ends=True,
            segments=24,
            radius1=33 * _UNIT,
            radius2=55 * _UNIT,
            depth=(end - begin).length,
        )
        return _mesh("sleeve", made, cloth), begin, end


def _limb(
    body: bpy.types.MetaBall, begin: Points, end: Points, thin_mm: float, thick_mm: float, count: int
) -> None:
    for share in np.linspace(0, 1, count):
        ball = body.elements.new()
        ball.co = _at(begin + (end - begin) * share)
        # a ball's surface lies where its field has fallen to the threshold
        ball.radius = (thin_mm + (thick_mm - thin_mm) * share) * _UNIT * 1.55


def _mesh(name: str, made: bmesh.types.BMesh, *materials: bpy.types.Material) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    made.to_mesh(mesh)
    made.free()
    for face in mesh.polygons:
        face.use_smooth = True
    for material in materials:
        mesh.materials.append(material)
    return mesh


def _slab(
    size_mm: tuple[float, float], thick_mm: float, bent_mm: float, *sides: bpy.types.Material
) -> bpy.types.Mesh:
    """A card with round corners, its picture on top, bent about its long axis; strips from left to right."""
    (wide_mm, high_mm), half, radius = size_mm, size_mm[0] / 2, _CORNER * size_mm[0]
    edges = [half - radius * share for share in (0.0, 0.1, 0.4, 1.0)]
    xs = sorted({*edges, *(-x for x in edges), *np.linspace(-half + radius, half - radius, 7).tolist()})
    made = bmesh.new()
    uv = made.loops.layers.uv.new()

    def column(x: float, up_mm: float) -> list[bmesh.types.BMVert]:
        in_corner = max(0.0, abs(x) - (half - radius))
        y = high_mm / 2 - radius + math.sqrt(max(0.0, radius**2 - in_corner**2))
        bow = bent_mm * (1 - (x / half) ** 2) if bent_mm > 0 else -bent_mm * (x / half) ** 2
        return [made.verts.new((x * _UNIT, side * y * _UNIT, (bow + up_mm) * _UNIT)) for side in (-1, 1)]

    tops, bottoms = [column(x, thick_mm) for x in xs], [column(x, 0.0) for x in xs]
    for left, right, low_left, low_right in zip(tops, tops[1:], bottoms, bottoms[1:], strict=False):
        face = made.faces.new((left[0], right[0], right[1], left[1]))
        for loop in face.loops:
            x, y, _ = loop.vert.co / _UNIT
            loop[uv].uv = (x / wide_mm + 0.5, y / high_mm + 0.5)
        for corners in (
            (low_left[0], low_left[1], low_right[1], low_right[0]),
            (low_left[0], low_right[0], right[0], left[0]),
            (left[1], right[1], low_right[1], low_left[1]),
        ):
            made.faces.new(corners).material_index = 1
    for top, low in ((tops[0], bottoms[0]), (tops[-1], bottoms[-1])):
        made.faces.new((low[0], top[0], top[1], low[1])).material_index = 1
    return _mesh("card", made, *sides)


def _card_box(card: Mapping[str, Any]) -> Points:
    reach = math.hypot(*card["size_mm"]) / 2 + 4
    high = card["size_mm"][0] / 2 if card["width"] < 1 else 4.0
    return np.array(
        [
            (card["x"] + right * reach, card["y"] + down * reach, card["z"] + up)
            for right in (-1, 1)
            for down in (-1, 1)
            for up in (0.0, high)
        ]
    )


def _at(point_mm: Sequence[float] | Points) -> Vector:
    x, y, z = (float(each) * _UNIT for each in point_mm)
    return Vector((x, -y, z))


def _colour(hue: float, saturation: float, value: float) -> tuple[float, float, float, float]:
    return (*colorsys.hsv_to_rgb(float(hue), float(saturation), float(value)), 1.0)


def _material(
    name: str, colour: tuple[float, ...], roughness: float
) -> tuple[bpy.types.Material, bpy.types.NodeTree, bpy.types.Node]:
    """A material, its nodes, and the one that shades."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value, shader.inputs["Roughness"].default_value = colour, roughness
    return made, made.node_tree, shader


def _table_top(kind: str, rng: np.random.Generator) -> bpy.types.Material:
    """Wood, planks, a chequered cloth, felt, or white cloth."""
    made, tree, shader = _material(kind, (1.0, 1.0, 1.0, 1.0), 0.9)

    def node(type_: str, **values: object) -> bpy.types.Node:
        new = tree.nodes.new(f"ShaderNode{type_}")
        for name, value in values.items():
            new.inputs[name.replace("_", " ")].default_value = value
        return new

    link: Callable[[Any, Any], Any] = tree.links.new
    place, turned = node("TexCoord"), node("Mapping", Rotation=(0.0, 0.0, float(rng.uniform(0, 6.3))))
    link(place.outputs["Object"], turned.inputs["Vector"])
    ramp = node("ValToRGB")
    dark, pale = ramp.color_ramp.elements
    rough = node("TexNoise", Scale=70.0, Detail=6.0)
    link(turned.outputs["Vector"], rough.inputs["Vector"])
    colour, relief = ramp.outputs["Color"], rough.outputs[0]
    if kind in ("wood", "planks"):
        value = float(rng.uniform(0.1, 0.45))
        dark.color, pale.color = _colour(0.07, 0.7, value * 0.6), _colour(0.08, 0.55, value)
        grain = node(
            "TexWave",
            Scale=float(rng.uniform(0.25, 0.7)),
            Distortion=float(rng.uniform(3, 9)),
            Detail=5.0,
            Detail_Scale=1.5,
        )
        turned.inputs["Scale"].default_value = (1.0, 0.25, 1.0)
        link(turned.outputs["Vector"], grain.inputs["Vector"])
        link(grain.outputs[1], ramp.inputs[0])
        shader.inputs["Roughness"].default_value = float(rng.uniform(0.25, 0.6))
        if kind == "planks":
            joints = node("TexBrick", Scale=0.6, Mortar_Size=0.006, Brick_Width=4.0, Row_Height=0.7)
            joints.inputs["Color2"].default_value = _colour(0.07, 0.6, value * 0.7)
            joints.inputs["Mortar"].default_value = _colour(0.07, 0.6, 0.03)
            link(place.outputs["Object"], joints.inputs["Vector"])
            link(colour, joints.inputs["Color1"])
            colour = joints.outputs[0]
    elif kind == "check":
        squares = node("TexChecker", Scale=float(rng.uniform(2, 6)), Color2=(0.75, 0.75, 0.7, 1.0))
        squares.inputs["Color1"].default_value = _colour(rng.random(), 0.7, 0.5)
        link(turned.outputs["Vector"], squares.inputs["Vector"])
        colour = squares.outputs[0]
    else:
        hue = float(rng.choice([0.33, 0.38, 0.6]))
        dark.color, pale.color = (
            (_colour(hue, 0.7, 0.12), _colour(hue, 0.6, 0.2))
            if kind == "felt"
            else ((0.62, 0.6, 0.55, 1.0), (0.8, 0.79, 0.75, 1.0))
        )
        link(relief, ramp.inputs[0])
    link(colour, shader.inputs["Base Color"])
    bump = node("Bump", Strength=0.15)
    link(relief, bump.inputs["Height"])
    link(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


if __name__ == "__main__":
    for name in sys.argv[1:]:
        main(Path(name))
