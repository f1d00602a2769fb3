package dev.kopf4j.object;

import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The {@code spec} or the {@code status} of an object. Immutable. */
final class StanzaView extends JsonView implements Spec, Status {
    StanzaView(Supplier<? extends @Nullable JsonNode> source, Supplier<String> title) {
        super(source, title);
    }
}
