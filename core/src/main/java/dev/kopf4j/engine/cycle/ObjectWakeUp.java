package dev.kopf4j.engine.cycle;

/** Has the worker of an object look at it again. Called by any thread. */
public interface ObjectWakeUp {
    /** Daemons or timers of the object have ended. */
    void daemonsEnded();

    /** Something has happened to the children of the object. */
    void childrenChanged();
}
