package dev.kopf4j.engine.registration;

import dev.kopf4j.ActivityDefinition;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What makes no sense in the declarations of activities. Pure. */
final class ActivityDeclarationRules {
    private ActivityDeclarationRules() {}

    static void check(List<RegisteredActivity> activities) {
        Set<String> known = new HashSet<>();
        for (RegisteredActivity each : activities) {
            String problem = known.add(each.definition().activity() + " " + each.id())
                    ? problem(each.definition())
                    : "there is another one with this id; give one of them an id of its own";
            if (problem != null) {
                throw new HandlerDeclarationException(
                        each.definition().activity().annotation() + " handler '" + each.id() + "': " + problem);
            }
        }
    }

    private static @Nullable String problem(ActivityDefinition definition) {
        if (definition.id() != null && definition.id().isBlank()) {
            return "the id is blank; give it a name";
        }
        if (definition.retries() != null && definition.retries() < 1) {
            return "retries is the number of attempts in all, and must be positive: " + definition.retries()
                    + "; leave it out for unlimited attempts";
        }
        if (definition.timeout() != null && !definition.timeout().isPositive()) {
            return "timeout must be positive: " + definition.timeout() + "; leave it out for unlimited time";
        }
        if (definition.backoff() != null && definition.backoff().isNegative()) {
            return "backoff must not be negative: " + definition.backoff() + "; zero is to retry at once";
        }
        return null;
    }
}
