package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ApiException.GoneException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.request.OpenResponse;
import dev.kopf4j.client.request.RequestSender;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** One list of a collection, page by page. Confined to a task. */
public final class PagedList {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

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
        int before = count;
        try {
            return readPage(pageSize, from, ListPage::read);
        } catch (ConnectionFailedException e) {
            if (!(e.getCause() instanceof DamagedStreamException)) {
                throw e;
            }
            // Something in the page is no JSON: one more request, as pages are not kept. What it is, the page tells.
            log.debug("A page of {} is read once more, object by object: {}", resource, e.getMessage());
            count = before;
            return readPage(pageSize, from, ListPage::readDamaged);
        }
    }

    /** A way to read a page. */
    private interface PageReading {
        ListPage read(InputStream body, Resource resource, ListPage.Sink each) throws IOException, InterruptedException;
    }

    private ListPage readPage(int pageSize, String from, PageReading reading) throws InterruptedException {
        RequestDescription requestDescription = RequestDescription.ofCollection("list", resource, namespace);
        String url = resource.url(namespace, null, null, narrowing.params(params(pageSize, from)));
        TransportRequest transportRequest = new TransportRequest("GET", url, narrowing.listHeaders(), null);
        OpenResponse open = requestSender.open(
                requestDescription, transportRequest, requestSender.settings().requestTimeout(), listener::retrying);
        try (ResponseStream stream = open.stream()) {
            return reading.read(stream.body(requestSender.settings().requestTimeout()), resource, new Taking());
        } catch (InterruptedIOException e) {
            throw OpenResponse.interrupted(e);
        } catch (IOException e) {
            throw open.broken(e);
        }
    }

    private final class Taking implements ListPage.Sink {
        @Override
        public void accept(ObjectNode object) throws InterruptedException {
            count++;
            listener.item(object);
        }

        @Override
        public void unreadable(UnreadableObject object) throws InterruptedException {
            count++;
            listener.unreadable(object);
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

    /**
     * The result of a complete list. A watch goes on from its version.
     *
     * @param resourceVersion the version of the list; empty if the server gave none
     * @param count how many objects were listed
     */
    public record ListResult(String resourceVersion, int count) {}
}
