package dev.kopf4j;

import dev.kopf4j.crd.Condition;
import java.util.List;
import java.util.Optional;

/**
 * The {@code status.conditions} of the object that is being handled. What is set goes into the handler's {@link Patch};
 * setting what is there already changes nothing, so that a handler may set its conditions at each call.
 *
 * <p>Each condition gets the object's {@code metadata.generation}, and the time of the call where its status is another
 * one than before, to the second. Conditions that others have set meanwhile stay: what is set here is put into the list
 * of the newest state, and made anew if that turns out not to be the newest one.
 *
 * <p>Belongs to one call of one handler: confined to its thread. Made by the framework; not to be implemented.
 *
 * @see <a
 *     href="https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties">API
 *     conventions</a>
 */
public interface Conditions {
    /**
     * Says that something holds, or does not.
     *
     * @param type what is said, such as {@code Ready}
     * @param reason why, in one word for programs, such as {@code RolledOut}
     * @param message why, for people; may be empty
     * @throws IllegalArgumentException if the type or the reason is no word as the conventions want it
     */
    Conditions set(String type, boolean status, String reason, String message);

    /**
     * Says that nobody knows whether something holds.
     *
     * @throws IllegalArgumentException if the type or the reason is no word as the conventions want it
     */
    Conditions setUnknown(String type, String reason, String message);

    /** Removes a condition, if there is one of this type. */
    Conditions remove(String type);

    /** The condition of this type, with the changes made here. */
    Optional<Condition> get(String type);

    /** All conditions, with the changes made here, in the order of the object. */
    List<Condition> all();
}
