import dev.kopf4j.*;

/** Handles each item of a list on its own: those that have succeeded are not handled again when others are retried. */
class Example {
    @OnCreate("kopfexamples")
    void createFn(Spec spec, SubHandlers subHandlers) {
        for (Object item : spec.getList("items")) {
            subHandlers.add(item.toString(), ctx -> {
                ctx.logger().info("=== Handling creation for {}. ===", item);
                return null;
            });
        }
    }
}
