package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import dev.kopf4j.engine.handling.registry.RetryDeclarationRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses declarations of activities that make no sense. Pure. */
final class ActivityDeclarationRules {
    private ActivityDeclarationRules() {}

    static void check(List<RegisteredActivity> activities) {
        Set<String> known = new HashSet<>();
        for (RegisteredActivity each : activities) {
            String problem = known.add(each.declaration().activity() + " " + each.id())
                    ? problem(each)
                    : "there is another one with this id; give one of them an id of its own";
            if (problem != null) {
                throw new HandlerDeclarationException(
                        each.declaration().activity().annotation() + " handler '" + each.id() + "': " + problem);
            }
        }
    }

    private static @Nullable String problem(RegisteredActivity activity) {
        String id = activity.declaration().id();
        return id != null && id.isBlank() ? "the id is blank; give it a name" : RetryDeclarationRules.problem(activity);
    }
}
