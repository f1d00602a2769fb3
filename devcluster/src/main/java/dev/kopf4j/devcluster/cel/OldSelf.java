package dev.kopf4j.devcluster.cel;

import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.schema.ListTypeValidation;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The former state of a value. The two fields differ in lists: an element of a list without keys has no
 * {@code oldSelf}, but may still be unchanged.
 *
 * @param known what rules get as {@code oldSelf}; null if there is none
 * @param compared what decides whether the value has changed; null if it is new
 */
record OldSelf(@Nullable JsonNode known, @Nullable JsonNode compared) {
    OldSelf field(String name) {
        return new OldSelf(known == null ? null : known.get(name), compared == null ? null : compared.get(name));
    }

    /**
     * The former state of an element.
     *
     * @param unchanged whether the whole list is as it was
     */
    OldSelf element(StructuralSchema list, JsonNode element, boolean unchanged) {
        JsonNode same = compared == null ? null : ListTypeValidation.counterpart(list, element, compared);
        return new OldSelf(
                known == null ? null : ListTypeValidation.counterpart(list, element, known),
                unchanged ? element : same);
    }

    boolean isSame(JsonNode value) {
        return compared != null && JsonEquality.same(compared, value);
    }
}
