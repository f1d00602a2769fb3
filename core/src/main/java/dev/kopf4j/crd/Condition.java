package dev.kopf4j.crd;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A condition in the status of an object: whether something is true of it, and since when. Made by
 * {@link dev.kopf4j.Conditions}; as a component of a status record, {@code List<Condition> conditions} with
 * {@code @Schema(listMapKeys = "type")}, it has the schema of Kubernetes' own conditions.
 *
 * @param type what is said, such as {@code Ready}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param observedGeneration the {@code metadata.generation} that it was found out for; null if that is not told
 * @param lastTransitionTime when the status was last another one
 * @param reason why, in one word for programs, such as {@code RolledOut}
 * @param message why, for people; may be empty
 * @see <a
 *     href="https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties">API
 *     conventions</a>
 */
public record Condition(
        @Schema(maxLength = 316, pattern = Condition.TYPE_PATTERN)
        String type,

        @Schema(enumValues = {"True", "False", "Unknown"}) String status,

        @Schema(minimum = 0) @Nullable Long observedGeneration,
        Instant lastTransitionTime,

        @Schema(minLength = 1, maxLength = 1024, pattern = Condition.REASON_PATTERN)
        String reason,

        @Schema(maxLength = 32_768) String message) {
    /** What a type looks like. */
    public static final String TYPE_PATTERN =
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

    /** What a reason looks like. */
    public static final String REASON_PATTERN = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";

    /** True if it is known to hold. */
    @JsonIgnore // it is no field of conditions
    public boolean isTrue() {
        return status.equals("True");
    }
}
