package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A step of two functions. */
record SimpleStep(Consumer<Draft> preparing, BiConsumer<Draft, Checks> checking) implements KindRules {
    @Override
    public void prepare(Draft draft) {
        preparing.accept(draft);
    }

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        checking.accept(draft, checks);
        return checks.causes();
    }
}
