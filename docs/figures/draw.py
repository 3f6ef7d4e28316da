#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the sketches of the pages, beside itself, as SVG.

usage: draw.py            writes them
       draw.py --check    says which differ from what is there, and ends with 1 if one does

A sketch has a light ground of its own, so that it reads in dark pages too. Its curves are computed:
the step in hamel_step is the midpoint rule, the loop in sleigh_frame a bracket.
"""

import math
import pathlib
import re
import sys

INK, GREY, PALE = "#222", "#767676", "#e9edf1"
BLUE, RED, GREEN = "#0072b2", "#c44500", "#007a55"


def number(x):
    return f"{x:.1f}".rstrip("0").rstrip(".").replace("-0", "0") if abs(x) < 0.05 else \
        f"{x:.1f}".removesuffix(".0")


class Sketch:
    """Shapes in pixels, y downwards."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []

    def add(self, tag, text="", **attributes):
        named = "".join(f' {key.replace("_", "-")}="{number(value) if isinstance(value, float) else value}"'
                        for key, value in attributes.items() if value is not None)
        self.parts.append(f"<{tag}{named}>{text}</{tag}>" if text else f"<{tag}{named}/>")

    def path(self, points, color=INK, width=1.5, dash=None, fill="none", closed=False):
        d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")
        self.add("path", d=d, stroke=color, stroke_width=width, stroke_dasharray=dash, fill=fill)

    def line(self, a, b, color=INK, width=1.5, dash=None):
        self.path([a, b], color, width, dash)

    def head(self, tip, direction, color, size=9.0):
        """The head of an arrow; direction is an angle, y downwards."""
        back = [(tip[0] - size * math.cos(direction + s), tip[1] - size * math.sin(direction + s))
                for s in (-0.38, 0.38)]
        self.path([tip, *back], color, 1, fill=color, closed=True)

    def arrow(self, a, b, color=INK, width=2.0, dash=None):
        direction = math.atan2(b[1] - a[1], b[0] - a[0])
        short = (b[0] - 6 * math.cos(direction), b[1] - 6 * math.sin(direction))
        self.line(a, short, color, width, dash)
        self.head(b, direction, color)

    def arc(self, centre, radius, begin, end, color=INK, width=1.5, dash=None, tip=False):
        """Angles mathematically: counter-clockwise as seen, from the x axis."""
        n = 24
        points = [on_circle(centre, radius, begin + (end - begin) * k / n) for k in range(n + 1)]
        if tip:
            sense = 1 if end > begin else -1
            self.head(points[-1], -end - sense * math.pi / 2 + sense * 4 / radius, color)
            points[-1] = on_circle(centre, radius, end - sense * 6 / radius)
        self.path(points, color, width, dash)

    def dot(self, at, color=INK, radius=4.0, hollow=False):
        self.add("circle", cx=float(at[0]), cy=float(at[1]), r=radius, fill="#fff" if hollow else color,
                 stroke=color, stroke_width=1.5)

    def text(self, x, y, words, color=INK, anchor="start", size=15, weight=None):
        """`*x*` is italic, `_k` or `_{k+1}` a subscript."""
        out, lowered, gap = "", False, False
        for part in re.findall(r"\*[^*]+\*|_\{[^}]*\}|_.|[^*_]+", words):
            low = part[0] == "_"
            style = ' font-style="italic"' if part[0] == "*" else ' font-size="72%"' if low else ""
            shift = f' dy="{4 if low else -4}"' if low != lowered else ""
            if gap or (shift and part[0] == " "):  # at the border of a tspan a space may be lost
                shift += f' dx="{number(0.32 * size)}"'
                part = part.lstrip()
            plain = part.strip("*") if part[0] == "*" else part[1:].strip("{}") if low else part
            plain = plain.replace("&", "&amp;").replace("<", "&lt;")
            gap = bool(shift) and plain.endswith(" ")
            plain = plain.rstrip() if gap else plain
            out += f"<tspan{style}{shift}>{plain}</tspan>" if style or shift else plain
            lowered = low
        self.add("text", out, x=float(x), y=float(y), fill=color, font_size=size,
                 text_anchor=None if anchor == "start" else anchor, font_weight=weight)

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" '
                'font-family="\'DejaVu Sans\', Verdana, sans-serif">\n'
                "<!-- SPDX-License-Identifier: BSD-3-Clause; drawn by draw.py -->\n"
                f"<title>{self.title}</title>\n"
                f'<rect width="{self.width}" height="{self.height}" rx="6" fill="#fff"/>\n' +
                "\n".join(self.parts) + "\n</svg>\n")


def on_circle(centre, radius, angle):
    return centre[0] + radius * math.cos(angle), centre[1] - radius * math.sin(angle)


def along(a, b, part):
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])


# --- the sleigh and its fields ------------------------------------------------------------------

def body(sketch, at, heading, size, fill=PALE, color=GREY):
    """The outline of the sleigh with its blade, which is at `at`."""
    def place(ahead, left):
        return (at[0] + size * (ahead * math.cos(heading) - left * math.sin(heading)),
                at[1] - size * (ahead * math.sin(heading) + left * math.cos(heading)))
    outline = [(-0.45, -0.42), (1.0, -0.42), (1.32, -0.2), (1.4, 0.0), (1.32, 0.2), (1.0, 0.42),
               (-0.45, 0.42)]
    sketch.path([place(*p) for p in outline], color, 1.5, fill=fill, closed=True)
    sketch.line(place(-0.32, 0.0), place(0.32, 0.0), INK, max(2.0, size / 20))
    return place


def sleigh_frame():
    s = Sketch(760, 330, "The sleigh: admissible directions u1 and u2, the forbidden u3, and a bracket")
    heading, at, size = math.radians(32), (165.0, 215.0), 92.0
    s.arrow((24.0, 306.0), (84.0, 306.0), GREY, 1.5)
    s.arrow((24.0, 306.0), (24.0, 246.0), GREY, 1.5)
    s.text(88, 311, "*x*", GREY)
    s.text(19, 238, "*y*", GREY)
    place = body(s, at, heading, size)
    s.line(at, (at[0] + 150, at[1]), GREY, 1.2, "4 4")
    s.arc(at, 104, 0, heading, GREY, 1.2)
    s.text(at[0] + 110, at[1] - 24, "*θ*", GREY)
    s.arrow(at, place(2.15, 0), BLUE, 3.0)
    s.text(place(2.15, 0)[0] - 20, place(2.15, 0)[1] - 14, "*u*_1 ahead", BLUE)
    s.arc(at, 58, heading + 2.3, heading + 3.9, GREEN, 3.0, tip=True)
    s.text(22, 184, "*u*_2 turn", GREEN)
    s.arrow(at, place(0, 1.55), RED, 2.5, "6 4")
    tip = place(0, 1.55)
    s.text(tip[0] - 10, tip[1] - 34, "*u*_3  sideways:", RED, "middle")
    s.text(tip[0] - 10, tip[1] - 15, "not admissible", RED, "middle")
    for a, b in (((0.14, 1.08), (-0.14, 0.8)), ((-0.14, 1.08), (0.14, 0.8))):
        s.line(place(*a), place(*b), RED, 2.5)
    s.dot(at)
    s.text(at[0] - 8, at[1] + 30, "(*x*, *y*)", INK)
    s.text(112, 300, "blade, cannot slip", INK)
    s.line((134.0, 284.0), (at[0] - 22, at[1] + 17), INK, 1)
    mass = place(0.75, 0)
    s.dot(mass, INK, 5.0, hollow=True)
    s.line((mass[0] + 4, mass[1] + 6), (278.0, 240.0), INK, 1)
    s.text(250, 257, "centre of mass,", INK)
    s.text(250, 276, "*a* ahead", INK)

    # The bracket: along u1, u2, -u1, -u2, each for the time e.
    s.line((425.0, 24.0), (425.0, 306.0), "#ccc", 1)
    e, scale, origin = 0.62, 260.0, (505.0, 170.0)
    def seen(x, y):
        return origin[0] + scale * x, origin[1] - scale * y
    a, b = seen(0, 0), seen(e, 0)
    d = seen(e - e * math.cos(e), -e * math.sin(e))
    body(s, a, 0.0, 30.0)
    body(s, b, 0.0, 30.0, "none", "#c4c4c4")
    body(s, b, e, 30.0, "none", "#c4c4c4")
    body(s, d, 0.0, 30.0)
    s.arrow(along(a, b, 0.3), along(a, b, 0.9), BLUE, 2.5)
    s.text(along(a, b, 0.6)[0], a[1] - 12, "1: *u*_1", BLUE, "middle")
    s.arc(b, 52, -0.05, e + 0.1, GREEN, 2.5, tip=True)
    s.text(b[0] + 44, b[1] - 42, "2: *u*_2", GREEN)
    s.arrow(along(b, d, 0.18), along(b, d, 0.66), BLUE, 2.5)
    s.text(along(b, d, 0.45)[0] + 14, along(b, d, 0.45)[1] + 20, "3: −*u*_1", BLUE)
    s.arc(d, 52, e, -0.1, GREEN, 2.5, tip=True)
    s.text(d[0] + 58, d[1] + 24, "4: −*u*_2", GREEN)
    s.arrow(a, (a[0], d[1] + 2), RED, 2.5)
    s.text(a[0] - 10, (a[1] + d[1]) / 2 + 5, "−*u*_3", RED, "end")
    s.text(596, 48, "[*u*_1, *u*_2] = −*u*_3", INK, "middle", 17)
    s.text(596, 70, "ahead, turn, back, turn back:", GREY, "middle", 13)
    s.text(596, 87, "the sleigh has moved sideways", GREY, "middle", 13)
    return s


def sleigh_path():
    """The run of frames.md, by the step of methods/hamel.md."""
    s = Sketch(760, 390, "The path of a sleigh that runs blade first, turns over and goes on straight")
    m, inertia, a, h = 1.0, 1.0, 0.5, 0.1
    x, y, theta, p1, p2 = 0.0, 0.0, 0.0, m * -0.8, (inertia + m * a * a) * 0.3
    states = [(x, y, theta)]
    for _ in range(200):
        v, w = p1 / m, p2 / (inertia + m * a * a)
        for _ in range(30):
            v, w = (p1 + h / 2 * m * a * w * w) / m, (p2 - h / 2 * m * a * v * w) / (inertia + m * a * a)
        middle = theta + h / 2 * w
        x, y, theta = x + h * v * math.cos(middle), y + h * v * math.sin(middle), theta + h * w
        p1, p2 = p1 + h * m * a * w * w, p2 - h * m * a * v * w
        states.append((x, y, theta))
    scale, origin = 50.0, (260.0, 42.0)

    def seen(at):
        return origin[0] + scale * at[0], origin[1] - scale * at[1]
    s.path([seen(at) for at in states], BLUE, 2.5)
    labels = {0: (6, 34), 20: (-44, -6), 40: (42, 6), 60: (-52, 8), 80: (-28, 10), 100: (-26, 26),
              120: (-10, 38), 160: (0, -22), 200: (0, -22)}
    for k in range(0, 201, 20):
        at = seen(states[k])
        body(s, at, states[k][2], 20.0)
        if k in labels:
            s.text(at[0] + labels[k][0], at[1] + labels[k][1], f"{k // 10} s", GREY, "middle", 13)
    for row, (words, color) in enumerate([("blade first, *v* < 0: it turns faster and faster", INK),
                                          ("at 4.6 s the blade stands still, *v* = 0", INK),
                                          ("centre of mass first, *v* > 0: it runs straight", INK)]):
        s.text(360, 60 + 26 * row, words, color, "start", 14)
    return s


# --- one step in (q, p) ---------------------------------------------------------------------------

def hamel_step():
    s = Sketch(760, 400, "One step of hamel in (q, p): midpoint, force, both halves")
    h, radius, begin = 1.05, 165.0, math.radians(70)
    origin = (210.0, 215.0)
    angle = 2 * math.atan(h / 2)  # the midpoint rule turns by this, the motion by h
    a, b = on_circle(origin, radius, begin), on_circle(origin, radius, begin - angle)
    mid = along(a, b, 0.5)
    s.arrow((20.0, origin[1]), (405.0, origin[1]), GREY, 1.2)
    s.arrow((origin[0], 388.0), (origin[0], 24.0), GREY, 1.2)
    s.text(398, origin[1] + 20, "*q*", GREY)
    s.text(origin[0] - 18, 34, "*p*", GREY)
    s.add("circle", cx=origin[0], cy=origin[1], r=radius, fill="none", stroke="#9a9a9a", stroke_width=1.2)
    s.text(16, 386, "*E*(*q*, *p*) = const", GREY, "start", 13)
    s.line(origin, mid, "#b0b0b0", 1.2, "3 4")
    s.line(a, (b[0], a[1]), GREEN, 1.5, "5 4")
    s.line((b[0], a[1]), b, RED, 1.5, "5 4")
    s.arc(origin, radius, begin, begin - h, "#9a9a9a", 3.5, tip=False)
    s.arrow(a, mid, BLUE, 3.0)
    s.arrow(mid, b, BLUE, 3.0)
    s.dot(a)
    s.dot(b)
    s.dot(mid, BLUE, 5.0, hollow=True)
    last = on_circle(origin, radius, begin - h)
    s.dot(last, "#9a9a9a")
    s.text(a[0] - 8, a[1] - 8, "*z*", INK, "end", 17)
    s.text(b[0] - 10, b[1] + 16, "*z*′", INK, "end", 17)
    s.text(last[0] + 10, last[1] + 8, "exact", GREY, "start", 13)
    s.text(mid[0] - 8, mid[1] + 24, "*z̄*", BLUE, "end")
    s.text((a[0] + b[0]) / 2, a[1] - 8, "*hψ*(*q̄*)*ξ*", GREEN, "middle", 14)
    s.text(b[0] + 8, (a[1] + b[1]) / 2 - 6, "*h*(*F* + *Q*)", RED, "start", 14)

    x = 455
    lines = [
        ("A step from *z* = (*q*, *p*) to *z*′ = (*q*′, *p*′)", INK, 16, 0),
        ("first half, to the midpoint *z̄* = (*q̄*, *μ*):", GREY, 13, 32),
        ("*q̄* = *q* + ½*h* *ψ*(*q̄*)*ξ*", BLUE, 15, 24),
        ("*μ*(*q̄*, *ξ*) = *p* + ½*h* (*F* + *Q*)(*q̄*, *ξ*)", BLUE, 15, 24),
        ("to be solved for *q̄* and *ξ*", GREY, 13, 22),
        ("second half, the same again:", GREY, 13, 34),
        ("*q*′ = *q* + *h* *ψ*(*q̄*)*ξ*", BLUE, 15, 24),
        ("*p*′ = *p* + *h* (*F* + *Q*)(*q̄*, *ξ*)", BLUE, 15, 24),
        ("The chord *z*′ − *z* = *h f*(*z̄*) is at right angles to", GREY, 13, 40),
        ("the gradient of *E* at *z̄*: *z*′ is on the curve", GREY, 13, 18),
        ("again, at every *h*, but a little late.", GREY, 13, 18),
    ]
    y = 66
    for words, color, size, down in lines:
        y += down
        s.text(x, y, words, color, "start", size)
    return s


def hamel_nodes():
    s = Sketch(760, 250, "Nodes and half nodes of the discrete Hamel equations")
    y, nodes = 120.0, [70.0, 300.0, 530.0]
    s.arrow((30.0, y), (735.0, y), GREY, 1.2)
    s.text(722, y + 20, "*t*", GREY)
    names = ["*k*−1", "*k*", "*k*+1"]
    for x, name in zip(nodes, names):
        name = name.replace("*", "")
        s.dot((x, y), INK, 5.0)
        s.text(x, y - 16, f"*q*_{{{name}}}", INK, "middle")
        s.text(x, y + 30, f"*p*_{{{name}}}", BLUE, "middle", 16)
    halves = [("k−½", "k−1,k"), ("k+½", "k,k+1")]
    for x, (half, pair) in zip((185.0, 415.0), halves):
        s.dot((x, y), INK, 5.0, hollow=True)
        s.text(x, y - 16, f"*q*_{{{half}}}, *ξ*_{{{pair}}}", INK, "middle")
        s.text(x, y - 44, f"*μ*_{{{pair}}}, *F*_{{{half}}}", RED, "middle")
    s.arrow((405.0, y + 14), (326.0, y + 24), BLUE, 1.8)
    s.arrow((425.0, y + 14), (504.0, y + 24), BLUE, 1.8)
    s.arrow((195.0, y + 14), (274.0, y + 24), BLUE, 1.8)
    s.text(358, y + 44, "*μ* − ½*hF*", BLUE, "middle", 13)
    s.text(472, y + 44, "*μ* + ½*hF*", BLUE, "middle", 13)
    s.text(242, y + 44, "*μ* + ½*hF*", BLUE, "middle", 13)
    s.text(20, 28, "at half nodes: D1’s sequence, and the force", RED, "start", 13)
    s.text(20, 226, "at nodes: the momentum *p*_k, the same from the left and from the right. "
           "That is the two-point equation.", BLUE, "start", 13)
    return s


# --- relative equilibria ----------------------------------------------------------------------------

def conical_pendulum():
    s = Sketch(760, 300, "The pendulum on a cone, and a neighbour of that motion")
    for left, neighbour in ((0, False), (380, True)):
        pivot, centre, across, depth = (left + 150.0, 40.0), (left + 150.0, 200.0), 108.0, 30.0
        ring = [(centre[0] + across * math.cos(t), centre[1] + depth * math.sin(t))
                for t in (2 * math.pi * k / 60 for k in range(61))]
        s.path(ring, GREY if neighbour else BLUE, 1.5 if neighbour else 2.5,
               "4 4" if neighbour else None)
        s.line(pivot, (pivot[0], 262.0), GREY, 1.2, "4 4")
        t = 0.62
        if neighbour:
            wave = [(centre[0] + (across + 14 * math.cos(1.75 * k)) * math.cos(k),
                     centre[1] + (depth + 4 * math.cos(1.75 * k)) * math.sin(k)
                     - 9 * math.cos(1.75 * k))
                    for k in (t - 4.4 + 4.4 * j / 80 for j in range(81))]
            s.path(wave, RED, 2.5)
            bob = wave[-1]
        else:
            bob = (centre[0] + across * math.cos(t), centre[1] + depth * math.sin(t))
        s.line(pivot, bob, INK, 2.0)
        s.dot(bob, INK, 8.0)
        s.dot(pivot, INK, 3.0)
        if neighbour:
            s.text(left + 12, 286, "a neighbour swings about it:", RED, "start", 14)
            s.text(left + 220, 286, "Ω√(1 + 3*q*_3²)", RED, "start", 14)
        else:
            s.text(left + 12, 286, "the same motion, turned: a relative equilibrium", BLUE, "start", 14)
            s.text(bob[0] - 30, (pivot[1] + bob[1]) / 2 - 8, "*q*, |*q*| = 1", INK, "start", 15)
            s.arrow((left + 320.0, 120.0), (left + 320.0, 78.0), GREY, 1.5)
            s.text(left + 328, 90, "*e*_3", GREY)
            s.arc((pivot[0], 246.0), 22, -2.9, -0.3, GREEN, 2.0, tip=True)
            s.text(pivot[0] + 28, 250, "Ω", GREEN, "start", 16)
    return s


def equilibria_sketch():
    s = Sketch(760, 300, "Defect, shift and drift of a method at relative equilibria")
    titles = ["defect", "shift", "drift"]
    notes = [("from the system’s equilibrium", "a step leads away, at this rate"),
             ("the method has one of its own,", "so far away, across the family"),
             ("it has none: where it is slowest", "it creeps along, at this rate")]

    def family(left, offset, color, width, dash=None, begin=0.0, end=1.0):
        def point(t):
            normal = (0.30, -0.95)
            return (left + 28 + 190 * t + offset * normal[0],
                    205 - 62 * t - 46 * t * t + offset * normal[1])
        points = [point(begin + (end - begin) * k / 24) for k in range(25)]
        s.path(points, color, width, dash)
        return point

    for k, (title, note) in enumerate(zip(titles, notes)):
        left = 253.0 * k
        if k:
            s.line((left, 24.0), (left, 276.0), "#ccc", 1)
        s.text(left + 126, 36, title, RED, "middle", 17)
        for row, words in enumerate(note):
            s.text(left + 126, 252 + 19 * row, words, GREY, "middle", 13)
        true = family(left, 0.0, "#8a8a8a", 4.0)
        at = true(0.5)
        if k == 0:
            s.arrow(at, (at[0] - 24, at[1] - 62), RED, 2.5)
            s.dot(at, INK)
            s.text(left + 150, 208, "the system’s", GREY, "start", 13)
            s.text(left + 150, 225, "family", GREY, "start", 13)
        if k == 1:
            own = family(left, 40.0, BLUE, 2.5, "7 4", 0.06, 0.94)
            there = own(0.5)
            s.dot(at, INK)
            s.arrow(at, there, RED, 2.5)
            s.dot(there, BLUE, 5.0, hollow=True)
            s.text(left + 20, 96, "the method’s", BLUE, "start", 13)
            s.text(left + 20, 113, "family", BLUE, "start", 13)
        if k == 2:
            own = family(left, 40.0, BLUE, 1.5, "2 4", 0.06, 0.94)
            for t in (0.14, 0.36, 0.58, 0.8):
                s.arrow(own(t), own(t + 0.13), RED, 2.5)
                s.dot(own(t), BLUE, 3.5)
    return s


SKETCHES = [sleigh_frame, sleigh_path, hamel_step, hamel_nodes, conical_pendulum, equilibria_sketch]


def main():
    folder = pathlib.Path(__file__).resolve().parent
    differing = []
    for sketch in SKETCHES:
        path, text = folder / f"{sketch.__name__}.svg", sketch().svg()
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            differing.append(path.name)
            if sys.argv[1:] != ["--check"]:
                path.write_text(text, encoding="utf-8")
    if sys.argv[1:] == ["--check"]:
        for name in differing:
            print(f"docs/figures/{name} is not what docs/figures/draw.py draws")
        return 1 if differing else 0
    print(f"draw: {len(SKETCHES)} sketches, {len(differing)} new")
    return 0


if __name__ == "__main__":
    sys.exit(main())
