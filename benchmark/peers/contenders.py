# SPDX-License-Identifier: BSD-3-Clause
"""What is compared: the cases, the methods of every program, and where each begins its ladder."""
import dataclasses
import math

GOALS = (1e-3, 1e-6, 1e-9, 1e-12)
OURS = "hamel"


@dataclasses.dataclass(frozen=True)
class Case:
    system: str
    n: int
    until: float

    @property
    def title(self):
        return "spherical pendulum" if self.system != "chain" else f"n = {self.n}"

    @property
    def reference(self):
        size = f"_n{self.n}" if self.system == "chain" else ""
        return f"{self.system}{size}_T{self.until:g}.txt"

    @property
    def pace(self):
        """s; the highest frequency of a chain grows like the root of n."""
        return 2.5 if self.system != "chain" else 0.8 / math.sqrt(self.n)


CASES = (Case("spherical_pendulum", 1, 10.0), Case("chain", 1, 10.0), Case("chain", 2, 10.0),
         Case("chain", 10, 10.0), Case("chain", 100, 1.0), Case("chain", 1000, 1.0))


@dataclasses.dataclass(frozen=True)
class Method:
    """One method of one program, with the ladder on which its error goals are sought.

    Methods with a tolerance begin at `loosest` and divide it by `factor`; the others begin with a step of
    `first` times the case's pace and divide that.
    """
    label: str
    program: str
    request: str
    factor: float
    first: float = 0.0  # 0: it has a tolerance
    most_links: int = 1000
    loosest: float = 1e-2
    solver: float = 0.0  # ours: tolerance of the solver as a multiple of the goal; 0: to round-off

    @property
    def adaptive(self):
        return self.first == 0.0

    @property
    def ours(self):
        return self.program == OURS


ROOT_TEN = math.sqrt(10.0)
ITERATED = (
    Method("gauss, 8 stages", OURS, "method=gauss(stages=8)", 1.12, 1.5),
    Method("gauss, 6 stages", OURS, "method=gauss(stages=6)", 1.15, 1.0),
    Method("gauss, 4 stages", OURS, "method=gauss(stages=4)", 1.2, 0.7),
    Method("variational+kl8", OURS, "method=variational+kl8", 1.25, 0.7),
    Method("hamel", OURS, "method=hamel", 1.5, 0.1),
)
SOLVER_TOLERANCES = (1.0, 0.1, 0.01)  # multiples of the error asked for
ASKED = tuple(dataclasses.replace(m, label=m.label + ", tolerance", solver=t)
              for m in ITERATED for t in SOLVER_TOLERANCES)
PEERS = (
    Method("Odeint Fehlberg 7(8), O(n)", "odeint", "method=fehlberg78", 10.0 ** 0.25),
    Method("Odeint Dormand–Prince 5, O(n)", "odeint", "method=dopri5", 10.0 ** 0.25),
    Method("Odeint Bulirsch–Stoer, O(n)", "odeint", "method=bulirsch_stoer", 10.0 ** 0.25),
    Method("Odeint Fehlberg 7(8), dense", "odeint", "method=fehlberg78 rhs=dense", 10.0, 0.0, 100),
    Method("Odeint Dormand–Prince 5, dense", "odeint", "method=dopri5 rhs=dense", 10.0, 0.0, 100),
    Method("Odeint Bulirsch–Stoer, dense", "odeint", "method=bulirsch_stoer rhs=dense", 10.0, 0.0, 100),
    Method("CVODE Adams", "sundials", "method=adams", ROOT_TEN, loosest=1e-3),
    Method("ARKODE Dormand–Prince 5", "sundials", "method=erk5", ROOT_TEN, loosest=1e-3),
    Method("ARKODE Fehlberg 8", "sundials", "method=erk8", ROOT_TEN, loosest=1e-4),
    Method("IDA, stabilised index 2", "sundials", "method=ida_ggl", ROOT_TEN, loosest=1e-4),
    Method("IDA, index 1", "sundials", "method=ida_index1", ROOT_TEN, loosest=1e-4),
    Method("MuJoCo RK4, hinges", "mujoco", "method=rk4 joint=hinges", 1.5, 0.05, 100),
    Method("Simbody Merson, universal", "simbody", "method=merson joint=universal", ROOT_TEN),
    Method("DART Euler, universal", "dart", "method=euler joint=universal", 2.0, 0.02),
)

# Time per step and link: h = 1 ms, or the steps that a tolerance of 1e-6 leads to.
STEP = 1e-3
SIZES = (1, 2, 10, 30, 100, 300, 1000)
SIZES_QUICK = (1, 2, 10, 100, 1000)
STEPPED = (
    Method("variational", OURS, "method=variational", 2.0, 1.0),
    Method("hamel", OURS, "method=hamel", 2.0, 1.0),
    Method("gauss, 8 stages", OURS, "method=gauss(stages=8)", 2.0, 1.0),
    Method("Odeint RK4, O(n)", "odeint", "method=rk4", 2.0, 1.0),
    Method("Odeint RK4, dense", "odeint", "method=rk4 rhs=dense", 2.0, 1.0, 300),
    Method("Odeint Fehlberg 7(8), O(n), 1e-6", "odeint", "method=fehlberg78 tolerance=1e-6", 2.0),
    Method("CVODE Adams, 1e-6", "sundials", "method=adams tolerance=1e-6", 2.0),
    Method("IDA, stabilised index 2, 1e-6", "sundials", "method=ida_ggl tolerance=1e-6", 2.0),
    Method("MuJoCo Euler, ball", "mujoco", "method=euler joint=ball", 2.0, 1.0),
    Method("MuJoCo RK4, hinges", "mujoco", "method=rk4 joint=hinges", 2.0, 1.0, 300),
    Method("Simbody Verlet, universal", "simbody", "method=verlet joint=universal", 2.0, 1.0),
    Method("DART Euler, universal", "dart", "method=euler joint=universal", 2.0, 1.0),
)

# Before anything is timed: every method on two links over 10 s, with steps of STEP or with this tolerance,
# must end within this distance of the reference, in lengths of a link.
AGREEMENT_TOLERANCE = 1e-8
AGREEMENT = 2e-2

# Drift: label, program, request, step in s or None.
DRIFTING = (
    ("hamel, h = 1 ms", OURS, "method=hamel", 1e-3),
    ("variational, h = 1 ms", OURS, "method=variational", 1e-3),
    ("variational+kl8, h = 10 ms", OURS, "method=variational+kl8", 1e-2),
    ("gauss, 8 stages, h = 50 ms", OURS, "method=gauss(stages=8)", 5e-2),
    ("Odeint Fehlberg 7(8), 1e-6", "odeint", "method=fehlberg78 tolerance=1e-6", None),
    ("Odeint Fehlberg 7(8), 1e-9", "odeint", "method=fehlberg78 tolerance=1e-9", None),
    ("Odeint Fehlberg 7(8), 1e-12", "odeint", "method=fehlberg78 tolerance=1e-12", None),
    ("Odeint Dormand–Prince 5, 1e-9", "odeint", "method=dopri5 tolerance=1e-9", None),
    ("Odeint Bulirsch–Stoer, 1e-9", "odeint", "method=bulirsch_stoer tolerance=1e-9", None),
    ("CVODE Adams, 1e-9", "sundials", "method=adams tolerance=1e-9", None),
    ("CVODE Adams, 1e-12", "sundials", "method=adams tolerance=1e-12", None),
    ("ARKODE Fehlberg 8, 1e-9", "sundials", "method=erk8 tolerance=1e-9", None),
    ("IDA, stabilised index 2, 1e-6", "sundials", "method=ida_ggl tolerance=1e-6", None),
    ("IDA, index 1, 1e-6", "sundials", "method=ida_index1 tolerance=1e-6", None),
    ("MuJoCo Euler, ball, h = 1 ms", "mujoco", "method=euler joint=ball", 1e-3),
    ("MuJoCo RK4, ball, h = 1 ms", "mujoco", "method=rk4 joint=ball", 1e-3),
    ("MuJoCo RK4, hinges, h = 1 ms", "mujoco", "method=rk4 joint=hinges", 1e-3),
    ("Simbody Merson, universal, 1e-6", "simbody", "method=merson joint=universal tolerance=1e-6", None),
    ("Simbody Verlet, universal, h = 10 ms", "simbody", "method=verlet joint=universal", 1e-2),
    ("DART Euler, ball, h = 1 ms", "dart", "method=euler joint=ball", 1e-3),
)
DRIFT_CASES = (("spherical_pendulum", 1), ("chain", 1), ("chain", 2), ("chain", 10))
DRIFT_HORIZONS = (1000.0, 10000.0)
