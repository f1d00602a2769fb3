"""The operator of the measurement with Kopf (and uvloop, if it is there): see README.md, "Other contenders"."""
import logging
import sys
import threading

import kopf

logging.getLogger().setLevel(logging.WARNING)


@kopf.on.login()
def login(**kwargs):
    return kopf.login_with_kubeconfig(**kwargs)


@kopf.on.startup()
def configure(settings, **_):
    settings.posting.level = logging.CRITICAL


@kopf.on.create("bench.kopf4j.dev", "v1", "samples")
async def make1(name, spec, **_):
    return {"made": name, "size": spec.get("size", "")}


ready = threading.Event()
stop = threading.Event()


def converse():
    ready.wait()
    print("> ready", flush=True)
    sys.stdin.read()
    stop.set()


threading.Thread(target=converse, daemon=True).start()
try:
    import uvloop
    loop = uvloop.new_event_loop()
except ImportError:
    loop = None
kopf.run(loop=loop, namespaces=["default"], standalone=True, ready_flag=ready, stop_flag=stop)
