package dev.kopf4j.engine.children.live;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.CompactBody;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A child as it was seen last, with no more of it than is needed to find out whether it is still so. Immutable.
 *
 * @param resource its resource
 * @param place its namespace and name
 * @param id its uid
 * @param version its version as a number; -1 if it is none
 * @param list the list of its stream that it was seen in or after
 * @param applied which handler has made it, and what was applied last
 * @param mark stands for the fields that the operator owns, and for what was applied last; 0 if it owns none
 * @param settled true if the child is known to be as it ought to be with this mark
 * @param deleting true if its deletion was requested
 * @param trouble what it lacks to be ready; null if it is ready
 * @param tested true if a test of the handler says when it is ready: then each change counts
 * @param fields the fields that the operator owns, until the child is settled; null otherwise
 * @param body the child itself, until the test has seen it; null otherwise
 * @param kept the child itself, for handlers that look at it; null if there are none
 * @param parents those whom it belongs to
 */
public record LiveChild(
        Resource resource,
        ChildName place,
        CompactUid id,
        long version,
        int list,
        Applied applied,
        long mark,
        boolean settled,
        boolean deleting,
        @Nullable String trouble,
        boolean tested,
        @Nullable JsonNode fields,
        @Nullable ObjectNode body,
        @Nullable CompactBody kept,
        List<KnownChildren> parents) {

    /**
     * What the annotation of a child says.
     *
     * @param handler the id of the handler that has made it; empty if none has
     * @param digest stands for what was applied last
     */
    public record Applied(String handler, long digest) {
        private static final int DIGITS = 16;

        /** Of objects that the operator has not made. */
        static final Applied BY_OTHERS = new Applied("", 0);

        /** Reads the annotation. */
        static Applied of(ObjectNode body) {
            String text = body.path("metadata")
                    .path("annotations")
                    .path(ChildMarks.APPLIED)
                    .asString("");
            int colon = text.lastIndexOf(':');
            String digits = text.substring(colon + 1);
            boolean known =
                    colon >= 0 && digits.length() == DIGITS && digits.chars().allMatch(HexFormat::isHexDigit);
            return known
                    ? new Applied(text.substring(0, colon).intern(), HexFormat.fromHexDigitsToLong(digits))
                    : BY_OTHERS;
        }

        /** The text of the annotation. */
        public String text() {
            return handler + ":" + HexFormat.of().toHexDigits(digest);
        }
    }

    /** A child that has just been seen; what is known of it from before counts where it is still the same. */
    static LiveChild seen(
            ChildWatch watch,
            ObjectNode body,
            int list,
            @Nullable LiveChild before,
            ChildName place,
            List<KnownChildren> parents,
            @Nullable CompactBody kept) {
        JsonNode meta = body.path("metadata");
        ObjectNode fields = watch.isDesired() ? AppliedFields.of(body, watch.fieldManager()) : null;
        Applied applied = fields == null ? Applied.BY_OTHERS : Applied.of(body);
        long mark = fields == null ? 0 : Digests.of(fields, applied.text());
        boolean settled = before != null && before.settled && before.mark == mark;
        boolean tested = before != null && before.tested;
        return new LiveChild(
                watch.resource(),
                place,
                before == null ? CompactUid.of(meta.path("uid").asString("")) : before.id,
                version(body),
                list,
                before != null && before.applied.equals(applied) ? before.applied : applied,
                mark,
                settled,
                DeletionState.isRequested(body),
                fields == null || tested ? null : Readiness.trouble(watch.resource(), body),
                tested,
                settled ? null : fields,
                tested ? body : null,
                kept,
                parents);
    }

    static long version(ObjectNode body) {
        return ResourceVersions.number(body);
    }

    /** Its uid, as a text made for each call. */
    public String uid() {
        return id.toString();
    }

    /** Its namespace; null if it is cluster-scoped. */
    public @Nullable String namespace() {
        return place.namespace();
    }

    /** Its name. */
    public String name() {
        return place.name();
    }

    /** The child as handlers see it: whole if it is kept, else nothing but what names it. */
    public ObjectNode shown() {
        return kept == null ? identity() : kept.parse();
    }

    /** What names it. */
    ObjectNode identity() {
        ObjectNode body = Json.object();
        body.put("apiVersion", resource.apiVersion());
        body.put("kind", resource.kind());
        ObjectNode meta = body.putObject("metadata");
        meta.put("name", name());
        meta.put("uid", uid());
        if (namespace() != null) {
            meta.put("namespace", namespace());
        }
        return body;
    }

    /** True if nothing has happened to it in between. */
    boolean isSameStateAs(LiveChild other) {
        return id.equals(other.id) && version == other.version && mark == other.mark;
    }

    /** True if it belongs to the object of that uid by an owner reference. */
    public boolean belongsTo(String ownerUid) {
        return parents.stream().anyMatch(parent -> parent.key().equals(ownerUid));
    }

    /** True if the operator has made an object, as far as the object itself tells. */
    public static boolean isOwn(ObjectNode body, String fieldManager) {
        return AppliedFields.of(body, fieldManager) != null && !Applied.of(body).equals(Applied.BY_OTHERS);
    }

    /** True if the operator has made it. */
    public boolean isOwn() {
        return mark != 0;
    }

    /** The kind and name, for people. */
    public String title() {
        return resource.kind() + " " + (namespace() == null ? "" : namespace() + "/") + name();
    }

    LiveChild settle(@Nullable String newTrouble, boolean byTest) {
        return new LiveChild(
                resource,
                place,
                id,
                version,
                list,
                applied,
                mark,
                true,
                deleting,
                newTrouble,
                byTest,
                null,
                null,
                kept,
                parents);
    }

    LiveChild listedIn(int number) {
        return new LiveChild(
                resource, place, id, version, number, applied, mark, settled, deleting, trouble, tested, fields, body,
                kept, parents);
    }

    /** True if the parents have to look, now that the child is so. */
    boolean disturbsAfter(@Nullable LiveChild before) {
        if (before == null || tested) {
            return isOwn();
        }
        return (isOwn() && !settled)
                || before.isOwn() != isOwn()
                || before.deleting != deleting
                || !Objects.equals(before.trouble, trouble);
    }
}
