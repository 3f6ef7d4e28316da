#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes peers.md, with its tables, and two figures (SVG, PNG, data and script) from peers.json: work_precision, the best
of each program, and work_precision_all, every method.

usage: benchmark/peers/page.py FOLDER/peers.json
"""
import json
import pathlib
import subprocess
import sys

import contenders

# Okabe and Ito's colours, one for each program; its methods differ by point, their variants by dash.
COLOURS = {"hamel": "#D55E00", "odeint": "#0072B2", "sundials": "#009E73", "mujoco": "#E69F00",
           "simbody": "#CC79A7", "dart": "#56B4E9"}
PROGRAMS = {"odeint": "Boost.Odeint", "sundials": "SUNDIALS", "mujoco": "MuJoCo", "simbody": "Simbody", "dart": "DART"}
VARIANTS = (", tolerance", ", dense", ", O(n)")
POINTS = (7, 5, 9, 13, 11)
PANELS = ("n = 1", "n = 2", "n = 10", "n = 100")

HEAD = """# The same motion in other programs

<!-- written by benchmark/peers/page.py -->
{date}{quick}. `./benchmark/run` repeats this; [how it is measured](../../docs/performance.md), with what the
other programs need to be at their best. One thread; times are the shortest of up to {rounds} interleaved rounds.

| | |
|---|---|
| processor | {processor}, {cores} cores, {widest_registers} |
| system | {system}, kernel {kernel} |
| compiler | {compiler} |
| flags | others: {others}; ours: {ours} |
| packages | {packages} |
| load at the start | {load:.2f} |
| duration | {wall_seconds} s |
"""


def duration(seconds):
    """Three digits and a unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        value = float(f"{seconds * factor:.3g}")
        if value >= 1.0 or unit == "µs":
            return f"{value:g} {unit}"
    return ""


def nanoseconds(x):
    """Three digits, without an exponent."""
    return f"{x:.3g}" if x < 1e3 else f"{float(f'{x:.3g}'):,.0f}"


def row(*cells):
    return "| " + " | ".join(cells) + " |\n"


def table(header):
    return row(*header) + "|" + "---|" * len(header) + "\n"


def power(x):
    return f"{x:.0e}".replace("e-0", "e-").replace("e+0", "e+")


def time_to_error(data):
    """Table 1: a block of rows for every case."""
    text = """
## Time to an error at the end

The error is the largest distance of a mass from the reference at the end, in lengths of a link. The horizon is
10 s, with 100 and 1000 links 1 s. Each entry is the fastest setting that reaches the error; – : none did, or not
within the time allowed. Bold: our best and the best peer's. Ours with "tolerance": `integrate.tolerance` set to the
error asked for, or to 0.1 or 0.01 of it, instead of iterating to round-off.
"""
    for case in contenders.CASES:
        cells = [c for c in data["cells"] if c["case"] == case.title]
        text += f"\n### {case.title}\n\n" + table(["method", *(power(g) for g in contenders.GOALS)])
        methods = contenders.ITERATED + contenders.ASKED + contenders.PEERS
        best = {}
        for goal in contenders.GOALS:
            for ours in (True, False):
                found = [c["seconds"] for c in cells
                         if c["goal"] == goal and (c["program"] == contenders.OURS) == ours]
                best[goal, ours] = min(found, default=None)
        for label, ours in dict.fromkeys((m.label, m.ours) for m in methods):
            entries = []
            for goal in contenders.GOALS:
                found = [c["seconds"] for c in cells if c["method"] == label and c["goal"] == goal]
                entry = duration(found[0]) if found else "–"
                entries.append(f"**{entry}**" if found and found[0] == best[goal, ours] else entry)
            if any(e != "–" for e in entries) or any(r["method"] == label and r["case"] == case.title
                                                     for r in data["rungs"]):
                text += row(f"ours: `{label}`" if ours else label, *entries)
        ratio = data["ratios"]["time_to_error"][case.title]
        text += row("*our best over the best peer*",
                    *(f"*{x:.3g}*" if x is not None else "–" for x in ratio.values()))
    return text


def summary(data):
    """Our best and the best peer's in every cell."""
    text = """
## In short

Our fastest (the fastest of all others) that ends within the error asked for:

"""
    text += table(["", *(power(g) for g in contenders.GOALS)])
    for case in contenders.CASES:
        entries = []
        for goal in contenders.GOALS:
            cells = [c for c in data["cells"] if c["case"] == case.title and c["goal"] == goal]
            best = [min((c["seconds"] for c in cells if (c["program"] == contenders.OURS) == ours), default=None)
                    for ours in (True, False)]
            ours, theirs = (duration(b) if b else "–" for b in best)
            entries.append(f"{ours} ({theirs})")
        text += row(f"{case.title}, {case.until:g} s", *entries)
    text += """
Each is the best of all settings tried, chosen with the reference at hand: more than a user has, who does not know
the error. Ours are stages, steps and tolerances of the solver, the others' tolerances or steps:

"""
    text += table(["settings tried", "ours", "the others together", "of these Odeint"])
    for case in contenders.CASES:
        tried = [r["program"] for r in data["rungs"] if r["case"] == case.title]
        ours = tried.count(contenders.OURS)
        text += row(case.title, str(ours), str(len(tried) - ours), str(tried.count("odeint")))
    return text


def agreement_table(data):
    """What each method came to at best."""
    text = """
## Agreement

The smallest error at the end that each method came to, on the way to 1e-12 and within the time allowed.

"""
    text += table(["method", *(c.title for c in contenders.CASES)])
    for m in contenders.ITERATED + contenders.PEERS:
        errors = []
        for case in contenders.CASES:
            found = [r["error"] for r in data["rungs"]
                     if r["method"] == m.label and r["case"] == case.title and "failed" not in r]
            errors.append(power(min(found)) if found else "–")
        text += row(f"ours: `{m.label}`" if m.ours else m.label, *errors)
    return text


def step_table(data):
    """Table 2, with the exponents."""
    text = """
## Time per step and link

In ns, at h = 1 ms or at the steps that the tolerance in the name leads to; p: time per step as n^p for n ≥ 10. All
of them follow the reference of two links over 10 s (last column: error at its end).

"""
    sizes = [n for n in contenders.SIZES if any(s["n"] == n for s in data["steps"])]
    text += table(["method", *(f"n = {n}" for n in sizes), "p", "error"])
    for m in contenders.STEPPED:
        at = {s["n"]: s["ns_per_step_and_link"] for s in data["steps"] if s["method"] == m.label}
        fit = data["growth"].get(m.label)
        agreement = next(a for a in data["agreement"] if (a["program"], a["method"]) == (m.program, m.label))
        error = power(agreement["error"]) if agreement["error"] is not None else "failed"
        text += row(f"ours: `{m.label}`" if m.ours else m.label,
                    *(nanoseconds(at[n]) if n in at else "–"
                      for n in sizes),
                    f"{fit['exponent']:.2f} ± {fit['standard_error']:.2f}" if fit else "–",
                    error if agreement["agrees"] else f"{error}: left out")
    ratio = data["ratios"]["time_per_step"]
    text += row("*our cheapest over the cheapest peer*",
                *(f"*{ratio[f'n = {n}']:.3g}*" if ratio[f"n = {n}"] is not None else "–" for n in sizes), "", "")
    return text


def drift_table(data):
    """Table 3: a block for every case and horizon."""
    text = """
## Drift

Largest changes along the run: energy and vertical angular momentum relative to their start, lengths relative to the
link's. Time includes looking at them. – : not within the time allowed.
"""
    for system, n in contenders.DRIFT_CASES:
        for horizon in contenders.DRIFT_HORIZONS:
            rows = [d for d in data["drift"]
                    if (d["system"], d["n"], d["horizon"]) == (system, n, horizon)]
            if not rows:
                continue
            name = "spherical pendulum" if system != "chain" else f"n = {n}"
            text += f"\n### {name}, {horizon:,.0f} s\n\n"
            text += table(["method", "energy", "length", "momentum", "steps", "time"])
            for label, program, *_ in contenders.DRIFTING:
                found = [d for d in rows if d["method"] == label]
                if found and "failed" not in found[0]:
                    d = found[0]
                    entries = [power(d[k]) if d[k] is not None else "lost"
                               for k in ("energy", "length", "momentum")]
                    entries += [f"{d['watched_steps']:,.0f}", duration(d["watched_seconds"])]
                else:
                    entries = ["failed" if found else "–", "–", "–", "–", "–"]
                text += row(f"ours: `{label}`" if program == contenders.OURS else label, *entries)
    return text


# ---- the figure -----------------------------------------------------------------------------------

def front(points):
    """Those (seconds, error) that nothing faster beats: what a method can do."""
    kept = []
    for seconds, error in sorted(points):
        if not kept or error < kept[-1][1]:
            kept.append((seconds, error))
    return kept


def points(data, panel, labels):
    return front((r["seconds"], r["error"]) for r in data["rungs"]
                 if r["method"] in labels and r["case"] == panel and "failed" not in r and r["error"] <= 1.0)


def best_curves(data):
    """What each program can do with the best of its methods; ours as it stops at the accuracy asked for, and not."""
    groups = [("ours, stopped at the accuracy asked for", contenders.OURS, contenders.ASKED),
              ("ours, iterated to round-off", contenders.OURS, contenders.ITERATED)]
    groups += [(name, program, [m for m in contenders.PEERS if m.program == program])
               for program, name in PROGRAMS.items()]
    found = []
    for label, program, methods in groups:
        labels = {m.label for m in methods}
        panels = {p: points(data, p, labels) for p in PANELS}
        if any(panels.values()):
            found.append((label, program, panels))
    return found


def curves(data):
    """[(label, program, {panel: points})], ours first."""
    found = []
    for m in dict.fromkeys((m.label, m.program) for m in contenders.ITERATED + contenders.ASKED + contenders.PEERS):
        label, program = m
        if label == "hamel, tolerance":  # nothing to gain: its step is one equation
            continue
        panels = {p: points(data, p, {label}) for p in PANELS}
        if any(panels.values()):
            found.append((f"ours: {label}" if program == contenders.OURS else label, program, panels))
    return found


def draw(drawn, folder, figure):
    points_of = {}
    looks, labels, text, indices = [], "", "", []
    for i, (label, program, panels) in enumerate(drawn):
        name = label
        for variant in VARIANTS:
            name = name.removesuffix(variant)
        known = points_of.setdefault(program, [])
        if name not in known:
            known.append(name)
        dash = "(10,4)" if label.endswith(VARIANTS[:2] + (" asked for",)) else "solid"
        looks.append(f"linecolor rgb '{COLOURS[program]}' dashtype {dash} "
                     f"linewidth {2.2 if program == contenders.OURS else 1.4} "
                     f"pointtype {POINTS[known.index(name) % len(POINTS)]} pointsize 0.7")
        labels += f"label_{i + 1} = '{label}'\n"
        for panel, points in panels.items():
            if points:
                indices.append((panel, i))
                text += ("\n\n" if text else "") + f"# {panel}: {label}\n# seconds error\n"
                text += "".join(f"{s:.6g} {max(e, 1e-16):.6g}\n" for s, e in points)
    legend_lines = (len(drawn) + 2) // 3
    height = 1000 + 18 * legend_lines
    bottom = (18 * legend_lines + 30) / height
    script = f"""# Draws {figure}.svg and .png from {figure}.dat: run gnuplot on this file in its folder.
reset
set encoding utf8
{labels}
do for [kind in 'svg png'] {{
  if (kind eq 'svg') {{
    set terminal svg size 1200,{height} enhanced font 'sans-serif,12' fontscale 1.333 background 'white'
  }} else {{
    set terminal pngcairo size 1200,{height} enhanced font 'Sans,12' background 'white'
  }}
  set output '{figure}.'.kind
  set multiplot layout 2,2 title 'Chain pendulum: error at the end against time' noenhanced font ',19' \\
    margins screen 0.08, 0.97, {bottom + 0.05:.4f}, {1 - 90 / height:.4f} spacing screen 0.08, {80 / height:.4f}
  unset key
  set border 3 linecolor rgb '#444444'
  set tics nomirror out textcolor rgb '#222222' font ',10'
  set xtics nomirror
  set logscale xy
  set autoscale x
  set format x '10^{{%T}}'
  set format y '10^{{%T}}'
  set yrange [1e-14:1]
  set ytics nomirror 1e-15,1000
  unset mytics
  set grid xtics ytics linetype 1 linecolor rgb '#dddddd' linewidth 1
"""
    for panel in PANELS:
        shown = [(at, i) for at, (p, i) in enumerate(indices) if p == panel]
        if not shown:
            continue
        until = next(c.until for c in contenders.CASES if c.title == panel)
        script += f"  set title '{panel}, {until:g} s of motion' font ',14'\n"
        script += "  plot " + ", \\\n    ".join(
            f"'{figure}.dat' index {at} using 1:2 with linespoints {looks[i]}" for at, i in shown) + "\n"
    script += f"""  unset title; unset tics; unset border; unset grid; unset logscale
  set xrange [0:1]; set yrange [0:1]
  set lmargin at screen 0.05; set rmargin at screen 0.98
  set bmargin at screen 0; set tmargin at screen {bottom:.4f}
  set label 100 'largest distance of a mass from the reference, in links' \\
    at screen 0.015, {0.5 * (1 + bottom):.4f} rotate by 90 center noenhanced
  set label 101 'time, s' at screen 0.53, {bottom + 2 / height:.4f} center noenhanced
  set key at screen 0.5, {bottom - 14 / height:.4f} center top vertical maxrows {legend_lines} \\
    Left reverse noenhanced samplen 3 font ',10.5' width -6
  plot """ + ", \\\n    ".join(f"2 with linespoints {look} title label_{i + 1}" for i, look in enumerate(looks))
    script += "\n  unset multiplot\n  unset label\n  unset output\n}\n"
    (folder / f"{figure}.dat").write_text(text, encoding="utf-8")
    (folder / f"{figure}.gp").write_text(script, encoding="utf-8")
    subprocess.run(["gnuplot", f"{figure}.gp"], cwd=folder, check=True)


def write(file):
    """The page and the figure beside the given peers.json."""
    data = json.loads(file.read_text(encoding="utf-8"))
    machine = data["machine"]
    text = HEAD.format(date=data["date"], quick=", a quick run" if data["quick"] else "", rounds=data["rounds"],
                       others=f"`{data['flags']['others']}`", ours=f"`{data['flags']['ours']}`",
                       packages=", ".join(f"{k} {v}" for k, v in machine["packages"].items()),
                       load=machine["load_at_start"], wall_seconds=data["wall_seconds"],
                       **{k: machine[k] for k in ("processor", "cores", "widest_registers", "system", "kernel",
                                                  "compiler")})
    if "note" in data:
        text += f"\n{data['note']}\n"
    text += "\n![Error at the end against time, in four panels: the best of each program](work_precision.png)\n"
    text += "\nEvery method by itself: [work_precision_all.png](work_precision_all.png).\n"
    text += summary(data) + time_to_error(data) + agreement_table(data) + step_table(data) + drift_table(data)
    file.with_suffix(".md").write_text(text, encoding="utf-8")
    draw(best_curves(data), file.parent, "work_precision")
    draw(curves(data), file.parent, "work_precision_all")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
