package dev.kopf4j.client.api;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which part of a collection the server is asked for. Immutable.
 *
 * @param labelSelector the label selector of the objects; empty for all of them
 * @param fieldSelector the field selector of the objects; empty for all of them
 * @param metadataOnly true for nothing of each object but its metadata
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches">metadata-only
 *     fetches</a>
 */
public record Narrowing(String labelSelector, String fieldSelector, boolean metadataOnly) {
    /** Everything. */
    public static final Narrowing NONE = new Narrowing("", false);

    /** Objects with some labels. */
    public Narrowing(String labelSelector, boolean metadataOnly) {
        this(labelSelector, "", metadataOnly);
    }

    /**
     * The objects of that name, of which each namespace has one at most: who may list, need not have the right to get.
     */
    public static Narrowing named(String name) {
        return new Narrowing("", "metadata.name=" + name, false);
    }

    Map<String, String> params(Map<String, String> others) {
        Map<String, String> params = new LinkedHashMap<>(others);
        if (!labelSelector.isEmpty()) {
            params.put("labelSelector", labelSelector);
        }
        if (!fieldSelector.isEmpty()) {
            params.put("fieldSelector", fieldSelector);
        }
        return params;
    }

    /**
     * The headers of a list. Servers compress long pages if they may, to a tenth: that is less to decrypt and to send.
     */
    Map<String, String> listHeaders() {
        return Map.of("Accept", accepted("List"), "Accept-Encoding", "gzip");
    }

    /** The headers of a watch. */
    Map<String, String> watchHeaders() {
        return Map.of("Accept", accepted(""));
    }

    private String accepted(String suffix) {
        return metadataOnly
                ? "application/json;as=PartialObjectMetadata" + suffix + ";g=meta.k8s.io;v=v1"
                : "application/json";
    }
}
