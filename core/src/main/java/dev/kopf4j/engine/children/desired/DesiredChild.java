package dev.kopf4j.engine.children.desired;

import dev.kopf4j.Body;
import dev.kopf4j.Child;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One child that a handler has described. Confined to the call, and then to the object's worker. */
public final class DesiredChild implements Child {
    private final ChildConfiguration configuration;
    private final List<DesiredChild> before = new ArrayList<>();
    private @Nullable Predicate<? super Body> readyTest;
    private boolean forced;
    private boolean adopted;

    DesiredChild(ChildConfiguration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Child after(Child... others) {
        for (Child other : others) {
            if (!(other instanceof DesiredChild known) || known == this) {
                throw new IllegalArgumentException(
                        "a child can only be after others that were added, not after " + other);
            }
            before.add(known);
        }
        return this;
    }

    @Override
    public Child readyWhen(Predicate<? super Body> test) {
        readyTest = test;
        return this;
    }

    @Override
    public Child force() {
        forced = true;
        return this;
    }

    @Override
    public Child adopt() {
        adopted = true;
        return this;
    }

    /** What is applied. */
    public ChildConfiguration configuration() {
        return configuration;
    }

    /** The children that have to be ready before this one is written. */
    public List<DesiredChild> before() {
        return before;
    }

    /** When it is ready; null for the rule of its kind. */
    public @Nullable Predicate<? super Body> readyTest() {
        return readyTest;
    }

    /** True if fields are taken from any manager. */
    public boolean isForced() {
        return forced;
    }

    /** True if an object is taken over that exists already. */
    public boolean isAdopted() {
        return adopted;
    }

    @Override
    public String toString() {
        return configuration.title();
    }

    /** True if it comes after another one, directly or not. */
    boolean isAfter(DesiredChild other, List<DesiredChild> way) {
        if (way.contains(this)) {
            return false;
        }
        way.add(this);
        return before.stream().anyMatch(each -> each == other || each.isAfter(other, way));
    }

    /** The object as the handler has given it; for messages. */
    ObjectNode node() {
        return configuration.node();
    }
}
