package dev.kopf4j.engine.children;

import dev.kopf4j.engine.children.desired.DesiredChild;
import dev.kopf4j.engine.children.live.LiveChild;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Deadline;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes the children before their parent: each when all are gone that are after it. If a handler fails to say which
 * come after which, its children have no order. Confined; used once.
 */
final class OrderedDeletion {
    private final ChildWriter writer;
    private final ReconcileCalls calls;
    private final ChildrenMemory memory;
    private final List<LiveChild> live;
    private final Map<String, Set<String>> laterUids = new HashMap<>();

    OrderedDeletion(ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory, PatchContent patch) {
        this.writer = new ChildWriter(environment, parent, memory);
        this.calls = new ReconcileCalls(environment, parent, memory, patch);
        this.memory = memory;
        this.live = environment
                .index()
                .children(String.valueOf(parent.reference().uid()))
                .stream()
                .filter(LiveChild::isOwn)
                .toList();
    }

    /** Deletes those whose turn has come. */
    void run(List<RegisteredHandler> handlers) throws InterruptedException {
        if (live.isEmpty()) {
            return;
        }
        for (RegisteredHandler handler : handlers) {
            if (calls.ask(handler) instanceof ReconcileCalls.Answer.Described(List<DesiredChild> children)) {
                children.forEach(this::note);
            }
        }
        Deadline retryAt = Deadline.NEVER;
        for (LiveChild child : live) {
            Set<String> later = laterUids.getOrDefault(child.uid(), Set.of());
            if (live.stream().map(LiveChild::uid).noneMatch(later::contains)) {
                retryAt = retryAt.orEarlier(writer.delete(child).retryAt());
            }
        }
        memory.retryAt(retryAt);
    }

    private void note(DesiredChild child) {
        for (DesiredChild earlier : child.before()) {
            for (LiveChild first : ofLive(earlier)) {
                Set<String> later = laterUids.computeIfAbsent(first.uid(), uid -> new HashSet<>());
                ofLive(child).stream().map(LiveChild::uid).forEach(later::add);
            }
        }
    }

    private List<LiveChild> ofLive(DesiredChild child) {
        return live.stream().filter(child.configuration()::isOf).toList();
    }
}
