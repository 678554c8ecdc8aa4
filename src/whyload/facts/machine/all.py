"""All sections together, as `doctor` reports them and a snapshot carries them."""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.dataclass import dataclass
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.facts.machine.cuda import CudaFacts, cuda_facts
from whyload.facts.machine.distributions import EnvironmentFacts, environment_facts
from whyload.facts.machine.hardware import HardwareFacts, hardware_facts
from whyload.facts.machine.interpreter import InterpreterFacts, interpreter_facts
from whyload.facts.machine.natives import NativeFacts
from whyload.facts.machine.openmp import OpenMpFacts, openmp_facts
from whyload.facts.machine.search_path import SearchPathFacts, search_path_facts
from whyload.facts.machine.security import SecurityFacts, security_facts
from whyload.facts.machine.vc_runtime import VcRuntimeFacts, vc_runtime_facts
from whyload.facts.machine.windows import WindowsFacts, windows_facts
from whyload.facts.packages import Packages
from whyload.loader.images import ImageStore
from whyload.world.model import World


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineFacts:
    """What is true of a machine and an environment on it."""

    windows: WindowsFacts
    interpreter: InterpreterFacts
    environment: EnvironmentFacts
    vc_runtime: VcRuntimeFacts
    cuda: CudaFacts
    openmp: OpenMpFacts
    search_path: SearchPathFacts
    hardware: HardwareFacts
    security: SecurityFacts
    native_files: NativeFacts


def machine_facts(
    world: World,
    images: ImageStore,
    packages: Packages,
    paths: tuple[WinPath, ...],
    natives: Iterable[WinPath],
    process_machine: Machine,
    native_files: NativeFacts,
    *,
    contents: bool = False,
) -> MachineFacts:
    """All of them. `paths` is `sys.path`, `natives` are the native files of the environment, `native_files` what the
    pass over them gave; `contents`: see `environment_facts`.
    """
    natives = tuple(natives)
    return MachineFacts(
        windows=windows_facts(world, process_machine),
        interpreter=interpreter_facts(world, images, packages, paths),
        environment=environment_facts(world, packages, contents=contents),
        vc_runtime=vc_runtime_facts(world, images, packages, natives),
        cuda=cuda_facts(world, images, packages, natives),
        openmp=openmp_facts(world, images, packages, natives),
        search_path=search_path_facts(world),
        hardware=hardware_facts(world),
        security=security_facts(world),
        native_files=native_files,
    )
