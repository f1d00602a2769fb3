package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.resource.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Keeps users from giving away rights that they do not have, by one kind of object. Thread-safe. */
@FunctionalInterface
interface EscalationRule {
    /**
     * Refuses an object with 403 if it gives rights that its writer does not have.
     *
     * @param before the object before the change; null if it is new
     */
    void check(UserInfo user, Resource resource, @Nullable ObjectNode before, ObjectNode object);
}
