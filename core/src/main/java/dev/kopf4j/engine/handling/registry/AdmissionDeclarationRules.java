package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.engine.handling.declaration.AdmissionDeclaration;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What makes no sense in the declaration of an admission handler, or would be refused by the API server. Pure.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/">dynamic
 *     admission control</a>
 */
final class AdmissionDeclarationRules {
    private static final int LONGEST_TIMEOUT_SECONDS = 30;
    private static final int MOST_CONDITIONS = 64;

    private AdmissionDeclarationRules() {}

    /** The first mistake, with the right form; null if there is none. */
    static @Nullable String problem(AdmissionDeclaration declared) {
        int seconds = declared.timeoutSeconds();
        if (seconds < 1 || seconds > LONGEST_TIMEOUT_SECONDS) {
            return "timeoutSeconds must be from 1 to " + LONGEST_TIMEOUT_SECONDS + ": " + seconds;
        }
        if (!declared.operations().isEmpty()
                && EnumSet.copyOf(declared.operations()).size()
                        < declared.operations().size()) {
            return "an operation is named twice: " + declared.operations();
        }
        if (declared.subresource().contains("/")) {
            return "the subresource is '" + declared.subresource()
                    + "'; name it alone, as in \"status\", and the resource as for any other handler";
        }
        return problemOfConditions(declared.matchConditions());
    }

    private static @Nullable String problemOfConditions(List<String> conditions) {
        if (conditions.stream().anyMatch(String::isBlank)) {
            return "a match condition is blank; write it in CEL, as in \"object.spec.size > 3\"";
        }
        return conditions.size() > MOST_CONDITIONS
                ? "there are " + conditions.size() + " match conditions; the API server takes " + MOST_CONDITIONS
                : null;
    }
}
