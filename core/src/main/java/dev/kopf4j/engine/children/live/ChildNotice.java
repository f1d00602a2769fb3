package dev.kopf4j.engine.children.live;

import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.object.CompactBody;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What handlers of a parent know of a child, and what they have yet to be told. Immutable.
 *
 * @param resource the child's resource
 * @param uid the child's uid
 * @param told the state that they were told last; null if they were told of none
 * @param newest the state that they have to be told; null for none
 * @param reason what has happened to it
 * @param content stands for the newest state, apart from versions
 */
public record ChildNotice(
        Resource resource,
        String uid,
        @Nullable CompactBody told,
        @Nullable CompactBody newest,
        Reason reason,
        long content) {
    /** True if there is something to be told. */
    public boolean isUntold() {
        return newest != null;
    }

    /** Nothing is known yet, and the child is seen for that reason. */
    static ChildNotice first(Resource resource, String uid, Reason reason, ObjectNode body, CompactBody state) {
        return new ChildNotice(resource, uid, null, state, reason, content(body));
    }

    /** The child is in another state; the same one is no change. */
    ChildNotice next(ObjectNode body, CompactBody state) {
        long now = content(body);
        if (now == content && reason != Reason.DELETE) {
            return this;
        }
        Reason merged = isUntold() && reason != Reason.DELETE ? reason : Reason.UPDATE;
        return new ChildNotice(resource, uid, told, state, merged, now);
    }

    /** The child is gone. */
    ChildNotice deleted(ObjectNode body) {
        return new ChildNotice(resource, uid, told, CompactBody.of(body), Reason.DELETE, content);
    }

    /** The handlers were told that state; what has come since then is left to be told. */
    ChildNotice told(CompactBody state) {
        boolean all = newest == state;
        Reason left = reason == Reason.DELETE ? reason : Reason.UPDATE;
        return new ChildNotice(resource, uid, state, all ? null : newest, left, content);
    }

    private static long content(ObjectNode body) {
        ObjectNode copy = body.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode meta) {
            meta.remove("resourceVersion");
            meta.remove("managedFields");
            meta.remove("generation");
        }
        return Digests.of(copy);
    }
}
