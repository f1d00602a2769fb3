package dev.kopf4j.engine.handling.progress;

import dev.kopf4j.View;
import dev.kopf4j.integration.IntegrationLookup;
import org.jspecify.annotations.Nullable;

/** Turns results that are models or views into plain maps; everything else stays. */
final class ResultModels {
    private ResultModels() {}

    static @Nullable Object plain(Object value) {
        if (value instanceof View view) {
            return view.toMap();
        }
        return IntegrationLookup.forModel(value)
                .<Object>map(owner -> owner.toMap(value))
                .orElse(value);
    }
}
