package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.registry.read.ListPage;
import dev.kopf4j.devcluster.registry.read.ListVerb;
import dev.kopf4j.devcluster.registry.read.WatchVerb;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.storage.StoredObject;

/** The verbs get, list and watch, from a request to a response. Thread-safe. */
final class ReadEndpoint {
    private final GetVerb getVerb;
    private final ListVerb listVerb;
    private final WatchVerb watchVerb;
    private final VerbResponses responses;
    private final boolean watchList;

    /**
     * Reads from the store of a server.
     *
     * @param watchList whether watches may ask for initial events
     */
    ReadEndpoint(ServerContext state, GetVerb getVerb, VerbResponses responses, boolean watchList) {
        this.getVerb = getVerb;
        this.listVerb = new ListVerb(state);
        this.watchVerb = new WatchVerb(state);
        this.responses = responses;
        this.watchList = watchList;
    }

    ApiResponse answer(ResourceRequest request) {
        if (request.request().isWatch() && request.name().isEmpty()) {
            return watch(request);
        }
        AcceptHeader acceptHeader = AcceptHeader.of(request.request());
        if (request.name().isEmpty()) {
            ListPage page = page(request);
            return responses.of(request, acceptHeader, page, page.remaining());
        }
        StoredObject found = getVerb.get(request);
        return ResponseFactory.json(
                200, acceptHeader, responses.renderer(request, acceptHeader).object(found));
    }

    /** The page of a collection that a request selects. */
    ListPage page(ResourceRequest request) {
        return listVerb.list(request, ListOptions.of(request, watchList));
    }

    private ApiResponse watch(ResourceRequest request) {
        AcceptHeader acceptHeader = AcceptHeader.of(request.request());
        ListOptions options = ListOptions.of(request, watchList);
        return ResponseFactory.events(
                acceptHeader, watchVerb.watch(request, options, responses.renderer(request, acceptHeader)));
    }
}
