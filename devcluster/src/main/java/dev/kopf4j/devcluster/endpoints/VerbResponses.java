package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.registry.read.ListPage;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.ObjectRenderer;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** Responses with the objects of one server. Thread-safe. */
final class VerbResponses {
    private static final Resource SCALES = new Resource(
            new Resource.GroupVersion("autoscaling", "v1"),
            new Resource.Names("scales", "scale", "Scale", "ScaleList", List.of(), List.of()),
            true,
            new Resource.Endpoints(List.of(), List.of()),
            "autoscaling/scales",
            Resource.ResourceTraits.CUSTOM,
            null);

    private static final List<String> INCLUDED = List.of("", "None", "Metadata", "Object");

    private final InstantSource clock;

    /**
     * Responses of a server.
     *
     * @param clock for the ages in tables
     */
    VerbResponses(InstantSource clock) {
        this.clock = clock;
    }

    /** Shows objects as the client of a request wants them. */
    ObjectRenderer renderer(ResourceRequest request, AcceptHeader acceptHeader) {
        return new ObjectRenderer(request.resource(), acceptHeader, includeObject(request, acceptHeader), clock);
    }

    /** What rows have besides the cells: {@code pkg/apis/meta/v1/validation} of apimachinery, v1.33. */
    private static String includeObject(ResourceRequest request, AcceptHeader acceptHeader) {
        List<String> wishes = request.request().query().getOrDefault("includeObject", List.of(""));
        for (String wish : wishes) {
            if (acceptHeader.table() && !INCLUDED.contains(wish)) {
                throw ApiException.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: "
                        + FieldError.quote(wish) + ": must be 'Metadata', 'Object', 'None', or empty");
            }
        }
        return wishes.getLast();
    }

    /** The response of a verb as below, but with a scale, which has columns of its own. */
    ApiResponse ofScale(ResourceRequest request, Supplier<VerbResult> verb) {
        AcceptHeader acceptHeader = AcceptHeader.of(request.request());
        VerbResult result = verb.get();
        ObjectNode shown = new ObjectRenderer(SCALES, acceptHeader, includeObject(request, acceptHeader), clock)
                .object(result.object());
        return ResponseFactory.object(result.code(), acceptHeader, shown, request.warnings());
    }

    /**
     * The response of a verb, which is not carried out if the client accepts no form that the server has; an object of
     * another kind, such as a Status, is always shown as JSON.
     */
    ApiResponse of(ResourceRequest request, Supplier<VerbResult> verb) {
        AcceptHeader acceptHeader = AcceptHeader.of(request.request());
        VerbResult result = verb.get();
        ObjectNode object = result.object();
        if (!Json.string(object, "kind").equals(request.resource().kind())) {
            return ResponseFactory.object(result.code(), AcceptHeader.JSON, object, request.warnings());
        }
        ObjectNode shown = renderer(request, acceptHeader).object(object);
        return ResponseFactory.object(result.code(), acceptHeader, shown, request.warnings());
    }

    /** The response with a page of a list. */
    ApiResponse of(ResourceRequest request, AcceptHeader acceptHeader, ListPage page, long remaining) {
        Iterable<byte[]> pieces =
                renderer(request, acceptHeader).list(page.objects(), page.version(), page.rest(), remaining);
        return ResponseFactory.pieces(acceptHeader, pieces);
    }
}
