package dev.kopf4j.engine.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What an operator is like: chosen by a seed. Immutable.
 *
 * @param handlers its handlers of changes, in their order
 * @param daemon true if it has a daemon for some objects, which does nothing but hold them
 * @param statusSubresource whether the status is written apart
 * @param ownPrefix whether its annotations have another prefix than Kopf's
 * @param slow whether calls take their time now and then
 */
record RandomOperator(
        List<HandlerPlan> handlers, boolean daemon, boolean statusSubresource, boolean ownPrefix, boolean slow) {
    private static final List<HandlerPlan.Kind> KINDS = List.of(
            HandlerPlan.Kind.CREATE,
            HandlerPlan.Kind.CREATE,
            HandlerPlan.Kind.CREATE,
            HandlerPlan.Kind.UPDATE,
            HandlerPlan.Kind.UPDATE,
            HandlerPlan.Kind.FIELD,
            HandlerPlan.Kind.RESUME,
            HandlerPlan.Kind.DELETE,
            HandlerPlan.Kind.DELETE_OPTIONAL);

    private static final List<String> FIELDS =
            List.of("spec.f0", "spec.f1", "spec.deep", "spec", "status.s0", "metadata.labels", "metadata.annotations");

    private static final List<HandlerPlan.Filter> FILTERS = List.of(
            HandlerPlan.Filter.LABEL,
            HandlerPlan.Filter.NO_LABEL,
            HandlerPlan.Filter.ANNOTATION,
            HandlerPlan.Filter.WHEN_STATUS);

    private static final List<HandlerPlan.Filter> FILTERS_OF_FIELDS =
            List.of(HandlerPlan.Filter.VALUE, HandlerPlan.Filter.LABEL, HandlerPlan.Filter.WHEN_STATUS);

    static RandomOperator of(long seed) {
        Random random = new Random(seed * 31 + 7);
        List<HandlerPlan> handlers = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        boolean parents = random.nextBoolean();
        for (int i = 0; i < count; i++) {
            HandlerPlan.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            handlers.add(handler(random, kind, "h" + i, parents ? 2 : 0));
        }
        return new RandomOperator(
                List.copyOf(handlers),
                random.nextInt(5) == 0,
                random.nextBoolean(),
                random.nextInt(4) == 0,
                random.nextInt(3) == 0);
    }

    private static HandlerPlan handler(Random random, HandlerPlan.Kind kind, String id, int depth) {
        boolean child = kind == HandlerPlan.Kind.CHILD;
        String field = field(random, kind);
        List<HandlerPlan> children = new ArrayList<>();
        if (depth > 0 && random.nextInt(child ? 4 : 2) == 0) {
            int count = 1 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                children.add(handler(random, HandlerPlan.Kind.CHILD, "abc".substring(i, i + 1), depth - 1));
            }
        }
        List<HandlerPlan.Filter> filters = field == null ? FILTERS : FILTERS_OF_FIELDS;
        HandlerPlan.Filter filter =
                random.nextInt(3) > 0 ? HandlerPlan.Filter.NONE : filters.get(random.nextInt(filters.size()));
        // The attempts of parents are counted otherwise, on purpose.
        Integer retries = children.isEmpty() && random.nextInt(4) == 0 ? 1 + random.nextInt(3) : null;
        return new HandlerPlan(kind, id, field, filter, retries, List.copyOf(children), random.nextBoolean());
    }

    private static @Nullable String field(Random random, HandlerPlan.Kind kind) {
        return kind == HandlerPlan.Kind.FIELD || (kind != HandlerPlan.Kind.CHILD && random.nextInt(8) == 0)
                ? FIELDS.get(random.nextInt(FIELDS.size()))
                : null;
    }

    /** True if some handlers have sub-handlers. */
    boolean hasParents() {
        return handlers.stream().anyMatch(HandlerPlan::isParent);
    }
}
