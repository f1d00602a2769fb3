package dev.kopf4j.engine.injection;

import dev.kopf4j.OnCreate;

/** A class whose handler others do not see. */
@SuppressWarnings("unused") // the handler is found by reflection
public abstract class HandlersOfAnotherPackage {
    @OnCreate("kopfexamples")
    void made() {}
}
