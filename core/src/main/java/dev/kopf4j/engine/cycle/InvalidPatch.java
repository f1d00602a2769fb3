package dev.kopf4j.engine.cycle;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cycle.PatchSender.PatchResult;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchContent.Contribution;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A patch that the server finds invalid: what each handler wants is sent for itself, and the framework's part in any
 * case. What is refused again is dropped, with an error in the log. Conflicts are no refusals: {@link PatchSender}.
 * Confined; used once.
 */
final class InvalidPatch {
    private final ObjectProcessor processor;
    private final ResourceObject object;
    private final PatchContent remaining = new PatchContent();
    private ResourceObject state;
    private @Nullable ObjectNode answered;
    private final ObjectNode dropped = Json.object();
    private boolean gone;

    /**
     * Nothing is sent yet.
     *
     * @param state the newest one
     * @param answered the object after what the server has taken of the patch; null if that was nothing
     */
    InvalidPatch(
            ObjectProcessor processor, ResourceObject object, ResourceObject state, @Nullable ObjectNode answered) {
        this.processor = processor;
        this.object = object;
        this.state = state;
        this.answered = answered;
    }

    /** Sends what the server may take of the patch. */
    PatchResult sendApart(PatchContent part, ApiException refusal) throws InterruptedException {
        PatchContent framework = processor.stored().locations().frameworkPart(part);
        List<Contribution> contributions = part.contributions();
        List<PatchContent> known = Stream.concat(
                        contributions.stream().map(Contribution::content), Stream.of(framework))
                .toList();
        PatchContent rest = part.without(known);
        if (contributions.isEmpty() && rest.isEmpty()) {
            return new PatchResult.Invalid(refusal, answered);
        }
        if (contributions.size() + (rest.isEmpty() ? 0 : 1) == 1) {
            String handler =
                    contributions.isEmpty() ? null : contributions.getFirst().handler();
            drop(
                    handler,
                    contributions.isEmpty() ? rest : contributions.getFirst().content(),
                    refusal);
        } else {
            // Each handler's for themselves: if the server refuses what one wants, the others have it all the same.
            send(null, rest);
            for (Contribution contribution : contributions) {
                send(contribution.handler(), contribution.content());
            }
        }
        // Last, so that a crash in between repeats rather than loses.
        return finish(framework);
    }

    private void send(@Nullable String handler, PatchContent part) throws InterruptedException {
        if (!gone
                && take(handler, processor.cycles().sender().send(state, part))
                        instanceof PatchResult.Invalid(ApiException refusal, var _)) {
            drop(handler, part, refusal);
        }
    }

    /** @param handler whose changes they are; null if nobody knows any more */
    private void drop(@Nullable String handler, PatchContent part, ApiException refusal) {
        MergePatch.mergeInto(dropped, part.merge());
        object.localLogger()
                .error(
                        "The server refuses the changes that {} made to this object; they are dropped, and it is not"
                                + " called again for them: {}",
                        handler == null ? "a handler has" : "the handler '" + handler + "' has",
                        refusal.getMessage());
    }

    private PatchResult finish(PatchContent framework) throws InterruptedException {
        processor.stored().storeWithout(dropped, state, framework, processor.essenceOf(state.node()));
        PatchResult last = gone
                ? new PatchResult.Gone()
                : take(null, processor.cycles().sender().send(state, framework));
        if (last instanceof PatchResult.Gone || last instanceof PatchResult.Invalid) {
            return last;
        }
        return answered == null && remaining.isEmpty()
                ? new PatchResult.NothingToSend()
                : new PatchResult.Applied(answered, remaining);
    }

    private PatchResult take(@Nullable String handler, PatchResult result) {
        switch (result) {
            case PatchResult.NothingToSend() -> {}
            case PatchResult.Gone() -> gone = true;
            case PatchResult.Invalid(var _, ObjectNode newState) -> goOnWith(newState);
            case PatchResult.Applied(ObjectNode newState, PatchContent unsent) -> {
                goOnWith(newState);
                if (handler == null) {
                    remaining.add(unsent);
                } else {
                    remaining.add(handler, unsent);
                }
            }
        }
        return result;
    }

    private void goOnWith(@Nullable ObjectNode newState) {
        if (newState != null) {
            answered = newState;
            state = state.with(newState);
        }
    }
}
