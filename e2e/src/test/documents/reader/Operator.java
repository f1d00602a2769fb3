import dev.kopf4j.*;

class Handlers {
    @OnCreate("kopfexamples")
    void create() {}

    @OnDelete("kopfexamples")
    void delete() {}
}
