package dev.kopf4j.engine.children;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ObjectReference.CompactUid;
import dev.kopf4j.persistence.conventions.EssencePruner;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A child as it was seen last, with no more of it than is needed to find out whether it is still so. Immutable.
 *
 * @param resource its resource
 * @param place its namespace and name
 * @param id its uid
 * @param seen its version, and what the operator owns of it
 * @param judgement whether it is as it ought to be
 * @param kept the child itself, for handlers that look at it; null if there are none
 * @param parents those whom it belongs to
 */
public record LiveChild(
        Resource resource,
        ChildName place,
        CompactUid id,
        Seen seen,
        Judgement judgement,
        @Nullable CompactBody kept,
        List<KnownChildren> parents) {

    /** Children by group, kind and name: a parent that is in no namespace may have some of one name. */
    static Map<List<String>, List<LiveChild>> byName(List<LiveChild> children) {
        return children.stream()
                .collect(Collectors.groupingBy(child ->
                        List.of(child.resource().group(), child.resource().kind(), child.name())));
    }

    /**
     * What the object itself says. Immutable.
     *
     * @param version its version as a number; -1 if it is none
     * @param applied which handler has made it, and what was applied last
     * @param mark stands for the fields that the operator owns, and for what was applied last; 0 if it owns none
     */
    record Seen(long version, Applied applied, long mark) {}

    /**
     * How near a child is to what it ought to be. Nearly all children share one of two. Immutable.
     *
     * @param settled true if the child is known to be as it ought to be
     * @param deleting true if its deletion was requested
     * @param trouble what it lacks to be ready; null if it is ready
     * @param tested true if a test of the handler says when it is ready: then each change counts
     * @param fields the fields that the operator owns, until the child is settled; null otherwise
     * @param body the child itself, until the test has seen it; null otherwise
     */
    record Judgement(
            boolean settled,
            boolean deleting,
            @Nullable String trouble,
            boolean tested,
            @Nullable JsonNode fields,
            @Nullable ObjectNode body) {
        private static final Judgement SETTLED = new Judgement(true, false, null, false, null, null);
        private static final Judgement UNTOUCHED = new Judgement(false, false, null, false, null, null);

        private Judgement shared() {
            return equals(SETTLED) ? SETTLED : equals(UNTOUCHED) ? UNTOUCHED : this;
        }
    }

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
        public static Applied of(ObjectNode body) {
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
            @Nullable LiveChild before,
            ChildName place,
            List<KnownChildren> parents,
            @Nullable CompactBody kept) {
        ObjectNode fields = watch.isDesired() ? AppliedFields.of(body, watch.fieldManager()) : null;
        Applied applied = fields == null ? Applied.BY_OTHERS : Applied.of(body);
        long mark = fields == null ? 0 : Digests.of(fields, applied.text());
        boolean settled = before != null && before.judgement.settled && before.seen.mark == mark;
        boolean tested = before != null && before.judgement.tested;
        Judgement judgement = new Judgement(
                settled,
                DeletionState.isRequested(body),
                fields == null || tested ? null : Readiness.trouble(watch.resource(), body),
                tested,
                settled ? null : fields,
                tested ? body : null);
        return new LiveChild(
                watch.resource(),
                place,
                before == null ? CompactUid.of(body.path("metadata").path("uid").asString("")) : before.id,
                new Seen(
                        ResourceVersions.number(body),
                        before != null && before.seen.applied.equals(applied) ? before.seen.applied : applied,
                        mark),
                judgement.shared(),
                kept,
                parents);
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

    /** Tells people which child it is, who has made it, and whether it is as it ought to be. None of its values. */
    public void tell(ObjectNode into) {
        into.put("kind", resource.kind())
                .put("resource", resource.toString())
                .put("namespace", namespace())
                .put("name", name())
                .put("uid", uid())
                .put("handler", seen.applied.handler())
                .put("settled", judgement.settled)
                .put("deleting", judgement.deleting)
                .put("trouble", judgement.trouble);
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
        return id.equals(other.id) && seen.version == other.seen.version && seen.mark == other.seen.mark;
    }

    /** True if it belongs to the object of that uid by an owner reference. */
    public boolean belongsTo(String ownerUid) {
        return parents.stream().anyMatch(parent -> parent.key().equals(ownerUid) && parent.owns(this));
    }

    /** True if the operator has made an object, as far as the object itself tells. */
    public static boolean isOwn(ObjectNode body, String fieldManager) {
        return AppliedFields.of(body, fieldManager) != null && !Applied.of(body).equals(Applied.BY_OTHERS);
    }

    /** True if the operator has made it. */
    public boolean isOwn() {
        return seen.mark != 0;
    }

    /** The same; false if somebody has released it by removing the annotation, or has made it by the same manager. */
    boolean isMade() {
        return isOwn() && !seen.applied.equals(Applied.BY_OTHERS);
    }

    /** The kind and name, for people. */
    public String title() {
        return resource.kind() + " " + (namespace() == null ? "" : namespace() + "/") + name();
    }

    LiveChild settle(@Nullable String trouble, boolean byTest) {
        Judgement settled = new Judgement(true, judgement.deleting, trouble, byTest, null, null);
        return new LiveChild(resource, place, id, seen, settled.shared(), kept, parents);
    }

    /** True if the parents have to look, now that the child is so. */
    boolean disturbsAfter(@Nullable LiveChild before) {
        if (before == null || judgement.tested) {
            return isOwn();
        }
        return (isOwn() && !judgement.settled)
                || before.isOwn() != isOwn()
                || before.judgement.deleting != judgement.deleting
                || !Objects.equals(before.judgement.trouble, judgement.trouble);
    }

    /**
     * The place of an object among those of its resource. Immutable.
     *
     * @param namespace its namespace; null if it is cluster-scoped
     */
    record ChildName(@Nullable String namespace, String name) {
        static ChildName of(ObjectNode body) {
            String namespace = body.path("metadata").path("namespace").asString("");
            return new ChildName(
                    namespace.isEmpty() ? null : namespace.intern(),
                    body.path("metadata").path("name").asString(""));
        }
    }

    /** What children carry to be known again, also after a restart. */
    public static final class ChildMarks {
        /** The label by which the server selects children; its value is the field manager. */
        public static final String MANAGED_BY = "kopf4j.dev/managed-by";

        /** The annotation that tells which handler has made the child, and the digest of what was applied last. */
        public static final String APPLIED = EssencePruner.CHILD_MARK;

        private ChildMarks() {}
    }

    /**
     * The fields of an object that a manager has applied, and still owns. Whoever changes or removes such a field by an
     * update takes it from its owner: so a field that is still owned has the value that was applied, whatever the
     * server has made of it. Pure.
     *
     * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management">field
     *     management</a>
     */
    static final class AppliedFields {
        private AppliedFields() {}

        /** The set of fields that a manager has applied, as the server writes it; null if it has not applied any. */
        static @Nullable ObjectNode of(ObjectNode body, String manager) {
            for (JsonNode entry : body.path("metadata").path("managedFields")) {
                boolean own = entry.path("manager").asString("").equals(manager)
                        && entry.path("operation").asString("").equals("Apply")
                        && entry.path("subresource").asString("").isEmpty();
                if (own && entry.get("fieldsV1") instanceof ObjectNode fields) {
                    return fields;
                }
            }
            return null;
        }

        /** True if all fields of a configuration are in the set. */
        public static boolean cover(JsonNode fields, ObjectNode configuration) {
            return configuration.properties().stream().allMatch(field -> switch (field.getKey()) {
                case "apiVersion", "kind" -> true; // these name the object, and nobody owns them
                case "metadata" -> coverMetadata(fields.path("f:metadata"), field.getValue());
                default -> coverField(fields, field);
            });
        }

        private static boolean coverMetadata(JsonNode owned, JsonNode metadata) {
            return metadata.properties().stream().allMatch(field -> switch (field.getKey()) {
                case "name", "namespace" -> true;
                default -> coverField(owned, field);
            });
        }

        private static boolean coverField(JsonNode fields, Map.Entry<String, JsonNode> field) {
            if (field.getValue().isNull()) {
                return true;
            }
            JsonNode owned = fields.get("f:" + field.getKey());
            return owned != null && coverValue(owned, field.getValue());
        }

        /** An owned field without parts is owned as a whole: an atomic list or map, or a plain value. */
        private static boolean coverValue(JsonNode owned, JsonNode value) {
            if (owned.isEmpty()) {
                return true;
            }
            return value.isObject()
                    ? value.properties().stream().allMatch(field -> coverField(owned, field))
                    : value.valueStream().allMatch(item -> coverItem(owned, item));
        }

        private static boolean coverItem(JsonNode owned, JsonNode item) {
            for (Map.Entry<String, JsonNode> entry : owned.properties()) {
                String path = entry.getKey();
                boolean meant = path.startsWith("k:")
                        ? item.isObject() && hasKey(item, path.substring(2))
                        : path.startsWith("v:") && path.substring(2).equals(item.toString());
                if (meant && (!item.isObject() || coverValue(entry.getValue(), item))) {
                    return true;
                }
            }
            return false;
        }

        /** Keys that the item does not name have their defaults. */
        private static boolean hasKey(JsonNode item, String key) {
            return Json.parse(key).properties().stream().allMatch(field -> {
                JsonNode value = item.get(field.getKey());
                return value == null || JsonEquality.equal(value, field.getValue());
            });
        }
    }
}
