# Image of the packed product. Build it in a folder that contains the file of `npm run package`:
#   docker build --tag sandtable --file Dockerfile FOLDER
#   docker run --rm --volume "$PWD:/work" sandtable run strategy.py --data data
# .ci/image runs these steps without Docker.
FROM node:24-bookworm-slim
COPY sandtable-*.tgz /opt/sandtable/
RUN npm install --global --no-audit --no-fund /opt/sandtable/sandtable-*.tgz && rm /opt/sandtable/sandtable-*.tgz
USER node
RUN sandtable setup
WORKDIR /work
ENTRYPOINT ["sandtable"]
CMD ["--help"]
