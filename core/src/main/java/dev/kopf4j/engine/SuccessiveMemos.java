package dev.kopf4j.engine;

import dev.kopf4j.Memo;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.call.OperatorMemos.KeptMemos;
import dev.kopf4j.engine.call.OperatorMemos.MemoSource;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memos of operators that take the place of each other in one process: the next one goes on with those of the one
 * before, its own and those of its objects, and in its context of the kubeconfig: they are about the objects of that
 * cluster. Thread-safe.
 */
public final class SuccessiveMemos {
    private final KeptMemos objects = new KeptMemos();
    private final Memo operator = new Memo();
    private final AtomicReference<@Nullable String> context = new AtomicReference<>();

    /**
     * Lets the operator of this builder go on with them.
     *
     * @throws IllegalArgumentException if it was not made by {@code Operator.builder()}
     */
    public void giveTo(OperatorBuilder builder) {
        if (!(builder instanceof OperatorPlanBuilder ours)) {
            throw new IllegalArgumentException("operators are built by what Operator.builder() gives, not by "
                    + builder.getClass().getName());
        }
        ours.memos(new MemoSource<>(operator, Memo::copy, objects));
        ours.context(context);
    }

    /** The operator has failed: the next one begins with the context that is the current one then. */
    public void forgetContext() {
        context.set(null);
    }

    /** Drops the values that are of no use for the next operator; returns the names that they had. */
    public Set<String> drop(Predicate<Object> useless) {
        Set<String> dropped = new TreeSet<>();
        Stream.concat(Stream.of(operator), objects.all().stream().map(Memo.class::cast))
                .forEach(memo -> memo.entrySet().removeIf(entry -> {
                    boolean drops = useless.test(entry.getValue());
                    if (drops) {
                        dropped.add(entry.getKey());
                    }
                    return drops;
                }));
        return dropped;
    }
}
