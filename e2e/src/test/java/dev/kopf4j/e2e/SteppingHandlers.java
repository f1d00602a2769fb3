package dev.kopf4j.e2e;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.Steps;
import java.io.IOException;
import java.util.Optional;

/** Handlers for processes of their own, which ask a service of another process step by step. */
public final class SteppingHandlers {
    /** The variable of the environment that names the service. */
    static final String SERVICE = "OUTER_SERVICE";

    /** Made by kopf4j. */
    public SteppingHandlers() {}

    @OnCreate("kopfexamples")
    void provide(String name, Steps steps) throws Exception {
        String database = steps.step("db", String.class)
                .undoable()
                .run(() -> ask("/make/db-" + name + "/" + steps.idempotencyKey()));
        String machine = steps.step("vm", String.class)
                .undoable()
                .recover(() -> find("vm-" + name))
                .run(() -> ask("/order/vm-" + name));
        if (!database.startsWith("db-" + name) || !machine.startsWith("vm-" + name)) {
            throw new IllegalStateException("results are mixed up: " + database + ", " + machine);
        }
    }

    @OnDelete("kopfexamples")
    void takeBack(String name, Steps steps) throws Exception {
        steps.undo(undo -> undo.step("db", String.class, id -> ask("/drop/" + id))
                .step("vm", String.class, id -> ask("/drop/" + id))
                .recover("vm", String.class, key -> find("vm-" + name)));
    }

    private static Optional<String> find(String thing) throws IOException, InterruptedException {
        return Optional.of(ask("/find/" + thing)).filter(found -> !found.isEmpty());
    }

    private static String ask(String path) throws IOException, InterruptedException {
        return OuterService.ask(System.getenv(SERVICE), path);
    }
}
