package dev.kopf4j.engine.children;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ConflictException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields that others own whom an apply has met. Immutable.
 *
 * @param fields the fields by the managers that own them
 * @param withAppliers true if one of these managers applies, and so means to keep its fields
 */
record ApplyConflict(Map<String, List<String>> fields, boolean withAppliers) {
    /**
     * A manager that does not apply is named with the version that it has used: {@code conflict with "kubectl-edit"
     * using apps/v1}.
     */
    private static final Pattern OWNER =
            Pattern.compile("conflict with \"([^\"]*)\"( with subresource \"[^\"]*\")?( using .*)?");

    /** Reads the refusal of an apply; null if it is about something else. */
    static @Nullable ApplyConflict of(ApiException refusal) {
        JsonNode details = refusal.details();
        if (!(refusal instanceof ConflictException) || details == null) {
            return null;
        }
        Map<String, List<String>> fields = new LinkedHashMap<>();
        boolean appliers = false;
        for (JsonNode cause : details.path("causes")) {
            Matcher owner = OWNER.matcher(cause.path("message").asString(""));
            if (cause.path("reason").asString("").equals("FieldManagerConflict") && owner.matches()) {
                fields.computeIfAbsent(owner.group(1), manager -> new ArrayList<>())
                        .add(cause.path("field").asString("").replaceFirst("^\\.", ""));
                appliers |= owner.group(3) == null;
            }
        }
        return fields.isEmpty() ? null : new ApplyConflict(fields, appliers);
    }

    /** Whom it is with, and about which fields. */
    @Override
    public String toString() {
        return fields.entrySet().stream()
                .map(each -> "'" + each.getKey() + "' (" + String.join(", ", each.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }
}
