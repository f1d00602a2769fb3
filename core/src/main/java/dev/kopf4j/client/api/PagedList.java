package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.GoneException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.request.OpenResponse;
import dev.kopf4j.client.request.RequestFailures;
import dev.kopf4j.client.request.RequestSender;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One list of a collection, page by page. Confined to a task. */
public final class PagedList {
    private final RequestSender requestSender;
    private final Resource resource;
    private final @Nullable String namespace;
    private final Narrowing narrowing;
    private final ListListener listener;
    private int count;

    /** Makes a list that has not begun; the namespace is null for a cluster-wide list. */
    public PagedList(
            RequestSender requestSender,
            Resource resource,
            @Nullable String namespace,
            Narrowing narrowing,
            ListListener listener) {
        this.requestSender = requestSender;
        this.resource = resource;
        this.namespace = namespace;
        this.narrowing = narrowing;
        this.listener = listener;
    }

    /**
     * Reads all pages. If the continue token expires on the way (HTTP 410), everything is read again in one page, which
     * cannot expire.
     *
     * @param pageSize how many objects a page has; 0 for all of them
     */
    public ListResult readRestartingOnGone(int pageSize) throws InterruptedException {
        try {
            return readPages(pageSize);
        } catch (GoneException e) {
            listener.retrying(e);
            listener.restarted();
            count = 0;
            return readPages(0);
        }
    }

    private ListResult readPages(int pageSize) throws InterruptedException {
        ListPage page = readPage(pageSize, "");
        listener.pageRead();
        if (!page.next().isEmpty() && !page.resourceVersion().isEmpty()) {
            listener.moreFollows(page.resourceVersion());
        }
        while (!page.next().isEmpty()) {
            page = readPage(pageSize, page.next());
            listener.pageRead();
        }
        return new ListResult(page.resourceVersion(), count);
    }

    private ListPage readPage(int pageSize, String from) throws InterruptedException {
        RequestDescription requestDescription = RequestDescription.ofCollection("list", resource, namespace);
        String url = resource.url(namespace, null, null, narrowing.params(params(pageSize, from)));
        TransportRequest transportRequest = new TransportRequest("GET", url, narrowing.listHeaders(), null);
        OpenResponse open = requestSender.open(
                requestDescription, transportRequest, requestSender.settings().requestTimeout(), listener::retrying);
        try (ResponseStream stream = open.stream()) {
            return ListPage.read(stream.body(requestSender.settings().requestTimeout()), resource, object -> {
                count++;
                listener.item(object);
            });
        } catch (InterruptedIOException e) {
            throw RequestFailures.interrupted(e);
        } catch (IOException e) {
            throw RequestFailures.connectionFailed(requestDescription, open.server(), e);
        }
    }

    private static Map<String, String> params(int pageSize, String from) {
        Map<String, String> params = new LinkedHashMap<>();
        if (pageSize > 0) {
            params.put("limit", Integer.toString(pageSize));
        }
        if (!from.isEmpty()) {
            params.put("continue", from);
        }
        return params;
    }
}
