package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes objects for a controller. Webhooks and policies see a request of the controller's account. What they refuse
 * or what cannot be converted is tried again, after a delay that doubles: {@code util/workqueue} of client-go, v0.33.
 * Where a webhook has to be asked, the deletion runs beside the tasks of the server. Thread-safe.
 */
public final class ControllerDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerDeletion.class);
    private static final Duration FIRST_DELAY = Duration.ofMillis(100);
    private static final int DOUBLINGS = 9;
    private final ServerContext state;
    private final DeleteVerb deleteVerb;
    private final Optional<AdmissionChain> admissionChain;
    private final boolean ofCollection;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final Map<String, Refusals> refusals = new ConcurrentHashMap<>();

    /**
     * Deletes in the store of a server.
     *
     * @param admissionChain who may refuse; nobody if it is empty
     * @param ofCollection whether the requests are for collections, which name no object
     */
    public ControllerDeletion(ServerContext state, Optional<AdmissionChain> admissionChain, boolean ofCollection) {
        this.state = state;
        this.deleteVerb = new DeleteVerb(state);
        this.admissionChain = admissionChain;
        this.ofCollection = ofCollection;
    }

    /**
     * What a controller wants to delete.
     *
     * @param policy the propagation policy
     * @param options what the controller sends, as webhooks see it
     */
    public record Wanted(UserInfo user, Resource resource, StoredObject object, String policy, ObjectNode options) {
        private String uid() {
            return object.uid();
        }
    }

    /** How often a deletion was refused, and why the last time. */
    private record Refusals(int count, String reason) {}

    /** Why the last attempt to delete an object was refused; empty if it was not. */
    public Optional<String> refusal(StoredObject object) {
        return Optional.ofNullable(refusals.get(object.uid())).map(Refusals::reason);
    }

    /**
     * Deletes an object if it is there and has the same uid.
     *
     * @param again what the controller does some time after a refusal; it decides anew whether to delete
     */
    public void delete(Wanted wanted, Runnable again) {
        if (!pending.add(wanted.uid())) {
            return;
        }
        ResourceRequest request = request(wanted);
        boolean waits = StorageConversion.mayWait(wanted.resource())
                || admissionChain
                        .filter(chain -> chain.asksAboutDeletion(request))
                        .isPresent();
        if (waits) {
            state.taskScheduler().runWaiting(() -> attempt(wanted, request, again));
        } else {
            attempt(wanted, request, again);
        }
    }

    private static ResourceRequest request(Wanted wanted) {
        ApiRequest request =
                ApiRequest.of("DELETE", "/", Map.of("content-type", "application/json"), Json.bytes(wanted.options()));
        StoredObject object = wanted.object();
        return new ResourceRequest(request, wanted.resource(), object.namespace(), object.name(), "", wanted.user());
    }

    private void attempt(Wanted wanted, ResourceRequest request, Runnable again) {
        DeleteOptions options = new DeleteOptions(wanted.policy(), wanted.uid(), "", Optional.empty(), false);
        try {
            deleteVerb.delete(
                    request,
                    options,
                    before -> admissionChain.ifPresent(chain -> chain.admitDeletion(request, before, ofCollection)));
            forget(wanted);
        } catch (ApiException e) {
            if (isThere(wanted)) {
                LOG.atDebug().setCause(e).log("{} is not deleted yet", wanted.object());
                tryAgain(wanted, again, e);
            } else {
                forget(wanted);
            }
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the dev cluster failed to delete {}; it tries again", wanted.object());
            tryAgain(wanted, again, e);
        } catch (Error e) {
            pending.remove(wanted.uid()); // or nobody could delete it any more
            throw e;
        }
    }

    private boolean isThere(Wanted wanted) {
        StoredObject object = wanted.object();
        StoredObject present = state.bucket(wanted.resource()).get(object.namespace(), object.name());
        return present != null && present.uid().equals(object.uid());
    }

    private void forget(Wanted wanted) {
        refusals.remove(wanted.uid());
        pending.remove(wanted.uid());
    }

    /** How long a controller waits after a number of refusals. */
    public static Duration delay(int refusals) {
        return FIRST_DELAY.multipliedBy(1L << Math.min(refusals - 1, DOUBLINGS));
    }

    private void tryAgain(Wanted wanted, Runnable again, RuntimeException refusal) {
        Refusals former = refusals.getOrDefault(wanted.uid(), new Refusals(0, ""));
        Refusals present = new Refusals(former.count() + 1, String.valueOf(refusal.getMessage()));
        refusals.put(wanted.uid(), present);
        var _ = state.taskScheduler().later(delay(present.count()), () -> {
            pending.remove(wanted.uid());
            if (!isThere(wanted)) {
                refusals.remove(wanted.uid());
            }
            again.run();
        });
    }
}
