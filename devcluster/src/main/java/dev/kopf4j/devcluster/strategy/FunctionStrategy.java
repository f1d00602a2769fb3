package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A step of two functions. */
public record FunctionStrategy(Consumer<ObjectDraft> preparing, BiConsumer<ObjectDraft, FieldChecks> checking)
        implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft objectDraft) {
        preparing.accept(objectDraft);
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        checking.accept(objectDraft, fieldChecks);
        return fieldChecks.causes();
    }
}
